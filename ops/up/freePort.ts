import { createServer } from 'node:net'

/** Null when nobody listens on the port, otherwise the code of the error that listening there gives. */
export function probePort(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

/** A free loopback port: the wanted one where it is free, otherwise any. */
export async function pickLoopbackPort(wanted: number | null): Promise<number> {
  if (wanted !== null && (await probePort(wanted, '127.0.0.1')) === null) return wanted
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address()
      // Only a pipe has an address that is no object.
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port is free'))))
    })
  })
}
