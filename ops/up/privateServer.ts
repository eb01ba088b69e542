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

const mostAttempts = 3

/** Starts a server on the port it must have, or on a free one that is kept in a file, so that the next start has the same if it can. */
export async function startOnPort(
  options: PrivateServerOptions,
  keptIn: string,
  start: (port: number) => Promise<PrivateServer>,
): Promise<PrivateServer> {
  if (options.port !== undefined) {
    await demandPort(options.port)
    return start(options.port)
  }
  let wanted = await readPort(keptIn)
  for (let attempt = 1; ; attempt += 1) {
    const port = await pickLoopbackPort(wanted)
    try {
      const server = await start(port)
      await writeFile(keptIn, `${port}\n`, { mode: 0o600 })
      return server
    } catch (error) {
      // Between the look and the start somebody else may have taken the port; only then is another one worth a try.
      if (attempt === mostAttempts || (await probePort(port, '127.0.0.1')) === null) throw error
      wanted = null
    }
  }
}

async function demandPort(port: number): Promise<void> {
  const taken = await probePort(port, '127.0.0.1')
  if (taken === null) return
  throw new StartError(`Port ${port} of 127.0.0.1 is not free (${taken}), and the running processes expect their server there`)
}

async function readPort(path: string): Promise<number | null> {
  const kept = Number(await readFile(path, 'utf8').catch(() => ''))
  return Number.isInteger(kept) && kept > 0 && kept < 65_536 ? kept : null
}
