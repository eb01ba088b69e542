import type { Socket } from 'node:net'
import { SocksClient, type SocksClientOptions } from 'socks'
import { Problem } from '../errors.ts'
import type { Destination } from './guard.ts'
import type { ProxyServer } from './routes.ts'

/** Asks a SOCKS proxy for a connection to exactly this address. */
export async function askSocks(socket: Socket, proxy: ProxyServer, target: Destination, port: number, timeoutMs: number): Promise<void> {
  if (proxy.kind === 'socks4' && target.family === 6) {
    throw new Problem('target_failed', `The proxy ${proxy.host}:${proxy.port} speaks SOCKS4, which cannot reach IPv6 addresses. Use socks5.`)
  }
  try {
    await SocksClient.createConnection(optionsFor(socket, proxy, target, port, timeoutMs))
  } catch (error) {
    // The package's error carries the password, so it is not passed on as a cause.
    throw new Problem('target_failed', `The proxy ${proxy.host}:${proxy.port} did not connect to the target: ${reasonOf(error)}.`)
  }
}

function optionsFor(socket: Socket, proxy: ProxyServer, target: Destination, port: number, timeoutMs: number): SocksClientOptions {
  const signIn = proxy.user === '' && proxy.password === '' ? {} : { userId: proxy.user, password: proxy.password }
  return {
    command: 'connect',
    destination: { host: target.address, port },
    existing_socket: socket,
    proxy: { host: proxy.host, port: proxy.port, type: proxy.kind === 'socks4' ? 4 : 5, ...signIn },
    timeout: timeoutMs,
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (/authentication/i.test(message)) return 'it wants other credentials'
  if (/rejected|not allowed/i.test(message)) return 'it refused'
  if (/closed/i.test(message)) return 'it closed the connection'
  return 'it did not answer as a SOCKS proxy does'
}
