import { defineCommand } from '../command.ts'
import { connectionFlags } from '../connectionFlags.ts'
import { address } from '../fetch/address.ts'
import { SitemapWalk } from '../sitemaps/walk.ts'

export const sitemap = defineCommand({
  name: 'sitemap',
  kind: 'expand',
  summary: 'Reads a sitemap or an index of sitemaps: a row an address, with loc, lastmod, changefreq and priority',
  args: { url: address('Where it is') },
  flags: connectionFlags,
  examples: ['sitemap https://shop.example/sitemap.xml', 'seed \'{site: "a.example"}\' || sitemap https://$site$/sitemap.xml'],
  rowsPerJob: 20,

  each(row, { args, flags, context }) {
    return new SitemapWalk(args.url(row, context.lookup), { flags, row, context }).rows()
  },
})
