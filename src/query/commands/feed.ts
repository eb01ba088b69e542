import { defineCommand } from '../command.ts'
import { connectionFlags } from '../connectionFlags.ts'
import { filledText } from '../params.ts'

export const feed = defineCommand({
  name: 'feed',
  kind: 'expand',
  summary: 'Reads an RSS, Atom or JSON feed: a row an entry',
  args: { url: filledText('Where it is') },
  flags: connectionFlags,
  examples: ['feed https://news.example/rss', 'seed \'{site: "a.example"}\' || feed https://$site$/feed.xml'],
})
