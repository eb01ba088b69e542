import { exactly } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { connectionFlags } from '../connectionFlags.ts'
import { readFeed } from '../feeds/readFeed.ts'
import { address } from '../fetch/address.ts'
import { acceptable, responseColumns } from '../fetch/answer.ts'
import { prepare } from '../fetch/connection.ts'
import { textOf, unreadableAnswer } from '../fetch/text.ts'
import { inBatches, mapRows } from '../stream.ts'

const accept = 'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, application/json;q=0.8, */*;q=0.5'

export const feed = defineCommand({
  name: 'feed',
  kind: 'expand',
  summary: 'Reads an RSS, Atom or JSON feed: a row an entry, with title, link, published, summary, author and id',
  args: { url: address('Where it is') },
  flags: connectionFlags,
  examples: ['feed https://news.example/rss', 'seed \'{site: "a.example"}\' || feed https://$site$/feed.xml'],
  rowsPerJob: 20,
  requests: () => exactly(1),

  async *each(row, { args, flags, context }) {
    const request = await prepare({ method: 'GET', url: args.url(row, context.lookup), headers: { accept } }, flags, row, context)
    const incoming = await context.outside.send(request, context.signal)
    await acceptable(incoming, flags)
    try {
      const rows = inBatches(readFeed(await textOf(incoming), incoming.url))
      yield* flags.response ? mapRows(rows, (made) => ({ ...made, ...responseColumns(incoming) })) : rows
    } catch (error) {
      throw unreadableAnswer(incoming, error)
    }
  },
})
