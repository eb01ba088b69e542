import type { Incoming, Outgoing } from '../platform/egress/exchange.ts'
import type { Stop } from '../platform/stop.ts'
import type { BrowserTask, BrowserTasks } from './browser/tasks.ts'
import type { Batch } from './rows.ts'

export type { Incoming, Outgoing } from '../platform/egress/exchange.ts'

/**
 * What commands may use of the world beyond their rows. This folder is pure, so the worker that runs a stage hands these in;
 * everything that is sent passes the egress guard and the domain policies there.
 */
export interface Outside {
  /** Sends one request and answers as soon as the headers of the answer are there. Failures are `Problem`s: target_failed, target_timeout, target_forbidden. */
  send(request: Outgoing, stop: Stop): Promise<Incoming>
  /** Waits between requests of one run: holds no place that another could use, and does not count for the run's time-out. Ends early when the signal is aborted. */
  rest(ms: number, signal: AbortSignal): Promise<void>
  /** A stored credential, opened; a `Problem` where there is none. Never shown anywhere. */
  credential(name: string): Promise<OpenedCredential>
  /** Has a browser do something; only where the worker has browsers. Failures are `Problem`s, those of `send` and expression_failed, selector_not_found and others. */
  browse?<Name extends BrowserTask>(task: Name, draft: BrowserTasks[Name]['draft'], signal: AbortSignal): Promise<BrowserTasks[Name]['answer']>
  readonly cellar: Cellar
  /** Recent queries, newest first, a row each. */
  queries(filter: { readonly status?: string | undefined; readonly limit: number }): Promise<Batch>
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
