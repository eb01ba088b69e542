import { upTo } from '../bounds.ts'
import { pageFlags } from '../browserFlags.ts'
import { defineCommand } from '../command.ts'
import { boolean, filledText, integer, otherwise, repeatable, text } from '../params.ts'

export const crawl = defineCommand({
  name: 'crawl',
  kind: 'expand',
  summary: 'Follows links breadth first: a row a page',
  args: { url: filledText('Where to begin') },
  flags: {
    ...pageFlags,
    depth: otherwise(integer('Links away from the beginning at most', 0, 100), 1),
    limit: otherwise(integer('Pages at most', 1, 1_000_000), 100),
    include: repeatable(text('Glob of addresses to follow')),
    exclude: repeatable(text('Glob of addresses not to follow')),
    sameHost: otherwise(boolean('Stay on the host'), true),
    browser: otherwise(boolean('Open pages in a browser; otherwise plain HTTP first'), false),
    robots: otherwise(boolean('Obey robots.txt'), true),
  },
  examples: ['crawl https://shop.example', 'crawl https://shop.example --depth 3 --limit 500 --exclude "**/cart/**"'],
  rows: ({ most }, { flags }) => upTo(most === null ? null : most * flags.limit),
})
