import { readFile, writeFile } from 'node:fs/promises'
import { pickLoopbackPort, probePort } from './freePort.ts'
import { StartError } from './startError.ts'

/** Where a private server is to live. */
export interface PrivateServerOptions {
  /** The folder for its data, password, port and log. */
  readonly dir: string
  /** The port it must have; without one the last used port where it is free, otherwise any. */
  readonly port?: number
  /** Gives up waiting for the server, and ends it. */
  readonly signal?: AbortSignal
}

/** A running private server, and how to reach and end it. */
export interface PrivateServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Settles when the server has ended, for whatever reason. */
  readonly exited: Promise<void>
  /** Ends it in order. */
  stop(): Promise<void>
  /** Ends it at once. */
  kill(): Promise<void>
}

/** The port to listen on, kept in a file so that the next start has the same one if it can. */
export async function choosePort(options: PrivateServerOptions, keptIn: string): Promise<number> {
  const { port } = options
  if (port !== undefined) {
    const taken = await probePort(port, '127.0.0.1')
    if (taken === null) return port
    throw new StartError(`Port ${port} of 127.0.0.1 is not free (${taken}), and the running processes expect their server there.`)
  }
  const kept = Number(await readFile(keptIn, 'utf8').catch(() => ''))
  const chosen = await pickLoopbackPort(Number.isInteger(kept) && kept > 0 ? kept : null)
  await writeFile(keptIn, `${chosen}\n`, { mode: 0o600 })
  return chosen
}
