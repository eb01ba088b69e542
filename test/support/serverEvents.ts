/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** Reads events as they come, until the stream ends; comments and the advice to reconnect are passed over. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true }) // fetch streams bytes
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    yield* blocks.map(eventOf).filter((event) => event !== null)
  }
}

function eventOf(block: string): ServerEvent | null {
  const fields = Object.fromEntries(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]))
  return fields['event'] === undefined ? null : { id: fields['id'] ?? '', event: fields['event'], data: JSON.parse(fields['data'] ?? 'null') as unknown }
}
