import { defineCommand } from '../command.ts'
import { connectionFlags } from '../connectionFlags.ts'
import { filledText } from '../params.ts'

export const sitemap = defineCommand({
  name: 'sitemap',
  kind: 'expand',
  summary: 'Reads a sitemap or an index of sitemaps: a row an address',
  args: { url: filledText('Where it is') },
  flags: connectionFlags,
  examples: ['sitemap https://shop.example/sitemap.xml', 'seed \'{site: "a.example"}\' || sitemap https://$site$/sitemap.xml'],
})
