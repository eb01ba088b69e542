import { exactly } from '../bounds.ts'
import { defineCommand, type StageContext } from '../command.ts'
import { address } from '../fetch/address.ts'
import { JsonList, post, type Webhook } from '../fetch/webhook.ts'
import { boolean, named, optional, otherwise } from '../params.ts'
import type { Batch } from '../rows.ts'
import { rowLookup } from '../run.ts'

export const notify = defineCommand({
  name: 'notify',
  kind: 'sink',
  summary: 'POSTs each row, or all of them together, to a webhook and passes the rows on',
  args: { url: address('Where to') },
  flags: {
    batch: otherwise(boolean('Sends all rows in one request, as a list'), false),
    secret: optional(named('credential', 'Name of a credential that signs the body (HMAC-SHA-256, X-Signature: sha256=…)')),
  },
  examples: ['range 3 || notify https://hooks.example/rows', 'range 3 || notify https://hooks.example/rows --batch --secret hook'],
  neverCached: true,
  rowsPerJob: 10,
  asOne: ({ batch }) => batch,
  requests: () => exactly(1),

  async *each(row, { args, flags, context }) {
    await post({ url: args.url(row, context.lookup), secret: flags.secret }, JSON.stringify(row), context)
    yield [row]
  },

  run(batches, { args, flags, context }) {
    if (flags.batch) return notifyOnce(batches, { url: args.url({}, context.lookup), secret: flags.secret }, context)
    const notifyRow = async (row: Batch[number]): Promise<void> =>
      post({ url: args.url(row, rowLookup(row, context)), secret: flags.secret }, JSON.stringify(row), context)
    return notifyEach(batches, notifyRow)
  },
})

async function* notifyEach(batches: AsyncIterable<Batch>, notifyRow: (row: Batch[number]) => Promise<void>): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    for (const row of batch) await notifyRow(row)
    yield batch
  }
}

/** Rows go on only when all of them have arrived; where there are none, nothing is sent. */
async function* notifyOnce(batches: AsyncIterable<Batch>, webhook: Webhook, context: StageContext): AsyncGenerator<Batch> {
  const list = new JsonList()
  for await (const batch of batches) list.add(batch)
  if (list.isEmpty) return
  await post(webhook, list.text, context)
  yield* list.batches
}
