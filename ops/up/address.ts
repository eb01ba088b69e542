/** Where the API is reached from this machine: a server that listens everywhere is reached on localhost. */
export function addressOf(host: string, port: number): string {
  const everywhere = ['0.0.0.0', '::', '127.0.0.1'].includes(host)
  return `http://${everywhere ? 'localhost' : bracket(host)}:${port}`
}

/** Where we ask whether it is ready: by number where there is one, because a name may lead elsewhere first. */
export function probeAddressOf(host: string, port: number): string {
  const asked = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${bracket(asked)}:${port}`
}

const bracket = (host: string): string => (host.includes(':') ? `[${host}]` : host)
