import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Null when nobody listens on the port, otherwise the code of the error that listening there gives. */
export function probePort(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

/*
 * Below the ports that systems give to clients (from 32768 on Linux, from 49152 elsewhere): one of those could be taken by any connection
 * while its server restarts, even by a client of that very server.
 */
const firstPort = 10_000
const pastLastPort = 32_768
const mostTries = 200

/** A free loopback port: the wanted one where it is free, otherwise any. */
export async function pickLoopbackPort(wanted: number | null): Promise<number> {
  for (let port = wanted ?? anyPort(), tries = 0; tries < mostTries; port = anyPort(), tries += 1) {
    if ((await probePort(port, '127.0.0.1')) === null) return port
  }
  throw new Error(`none of ${mostTries} ports from ${firstPort} to ${pastLastPort - 1} is free`)
}

const anyPort = (): number => randomInt(firstPort, pastLastPort)
