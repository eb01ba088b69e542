import type { Batch } from './rows.ts'

/**
 * What commands may use of the world beyond their rows. This folder is pure, so the worker that runs a stage hands these in;
 * everything that is sent passes the egress guard and the domain policies there.
 */
export interface Outside {
  /** Sends one request and answers as soon as the headers of the answer are there. Failures are `Problem`s: target_failed, target_timeout, target_forbidden. */
  send(request: Outgoing, signal: AbortSignal): Promise<Incoming>
  /** A stored credential, opened; a `Problem` where there is none. Never shown anywhere. */
  credential(name: string): Promise<OpenedCredential>
  readonly cellar: Cellar
  /** Recent queries, newest first, a row each. */
  queries(filter: { readonly status?: string | undefined; readonly limit: number }): Promise<Batch>
}

/** A request that is to leave this machine. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** True unless said otherwise. Credentials are not carried to another origin. */
  readonly followRedirects?: boolean
  /** True unless said otherwise. */
  readonly verifyTls?: boolean
  /** An http, https, socks, socks4, socks5 or pac proxy. */
  readonly proxy?: string
}

/** What came back; its body is read by exactly one of the two ways, or given up. */
export interface Incoming {
  readonly status: number
  /** The address that answered in the end. */
  readonly url: string
  /** By name in lower case; several values of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** From the first byte sent to the headers of the answer. */
  readonly ms: number
  /** The body without its transfer and content encoding; longer than the bound is a `Problem` target_too_large. */
  readonly body: AsyncIterable<Uint8Array>
  bytes(): Promise<Buffer>
  discard(): void
}

/** A credential with its secrets in clear. */
export interface OpenedCredential {
  readonly name: string
  readonly type: string
  readonly values: Readonly<Record<string, unknown>>
  /** Counts its changes. */
  readonly version: number
}

/** The files of the cellar, as stages use them. */
export interface Cellar {
  /** The rows of a json, ndjson or csv file; a `Problem` where there is no such file. */
  rows(name: string): AsyncIterable<Batch>
  /** Whether there is a file of this name. */
  has(name: string): Promise<boolean>
  /** The whole text of a small file. */
  text(name: string): Promise<string>
  /** Begins to write rows to a file. It appears, whole, in the very transaction that ends the stage, and not at all where the stage does not succeed. */
  write(name: string, options: { readonly format: FileFormat; readonly append: boolean }): FileWriting
}

export type FileFormat = 'ndjson' | 'json' | 'csv' | 'parquet'

/** A file that is being written. */
export interface FileWriting {
  add(batch: Batch): Promise<void>
  /** Says that all rows have been added. */
  end(): Promise<void>
}
