import type { FileWriting } from './outside.ts'
import type { Batch } from './rows.ts'

/** Hands batches on while they are written to a file, which gets all of them also where its reader stops early. */
export async function* passOn(batches: AsyncIterable<Batch>, writing: FileWriting, signal: AbortSignal): AsyncGenerator<Batch> {
  const source = batches[Symbol.asyncIterator]()
  let failed = false
  const pull = async (): Promise<Batch | undefined> => {
    try {
      signal.throwIfAborted()
      const next = await source.next()
      if (next.done) return undefined
      await writing.add(next.value)
      return next.value
    } catch (error) {
      failed = true
      throw error
    }
  }
  try {
    for (let batch = await pull(); batch; batch = await pull()) yield batch
  } finally {
    try {
      if (!failed) await finish(pull, writing)
    } finally {
      if (failed) await source.return?.()
    }
  }
}

/** A reader that has what it wants, such as `head`, ends the generator before the last batch. */
async function finish(pull: () => Promise<Batch | undefined>, writing: FileWriting): Promise<void> {
  while (await pull());
  await writing.end()
}
