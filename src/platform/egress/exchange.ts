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
