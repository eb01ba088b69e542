import { Problem } from '../../../src/platform/errors.ts'
import { maxRowLength, notUtf8, unreadable } from '../../../src/query/formats/unreadable.ts'
import type { Cellar } from '../../../src/query/outside.ts'
import { Utf8Gate } from '../../../src/platform/utf8.ts'
import { orNotFound } from '../../../src/services/change.ts'
import type { House } from '../../../src/services/house.ts'
import { readContent } from '../../../src/services/sirp/cellar/contents.ts'
import { fileNameRule, validName } from '../../../src/services/sirp/cellar/fileName.ts'
import type { Commits } from '../commits.ts'
import { findFile, type StoredFile } from './cellarFile.ts'
import { naming, rowsOfFile } from './cellarRows.ts'
import { CellarWriting } from './cellarWriting.ts'
import { keepFrozen, type QueryFacts } from './keepFrozen.ts'

/** The cellar as one stage uses it; what the stage writes is kept by the transaction that ends it. */
export function openCellar(house: House, commits: Commits, facts: QueryFacts): Cellar {
  const { pool, log } = house
  const ended: CellarWriting[] = []
  const file = async (name: string): Promise<StoredFile> => orNotFound(await findFile(pool, name), 'cellar file', name)
  const keepAtEnd = (writing: CellarWriting): void => {
    // One step for all files, so that no file is locked behind the lock of the audit log.
    if (ended.push(writing) === 1) commits.atEnd((client) => keepFrozen(client, ended, facts))
  }
  return {
    async *rows(name) {
      yield* rowsOfFile(pool, name, await file(name))
    },
    has: async (name) => (await findFile(pool, name)) !== undefined,
    text: async (name) => textOf(house, name, await file(name)),
    write(name, options) {
      const writing = new CellarWriting(house, checked(name), options, keepAtEnd)
      commits.undo(() => writing.discard().catch((err: unknown) => log.warn({ err }, 'what a failed stage wrote was not removed yet')))
      return writing
    },
  }
}

function checked(name: string): string {
  try {
    return validName('', name)
  } catch (error) {
    throw new Problem('unprocessable', `The name of a cellar file ${fileNameRule}.`, { cause: error })
  }
}

async function textOf({ pool }: House, name: string, { contentId, bytes }: StoredFile): Promise<string> {
  try {
    if (bytes > maxRowLength) throw unreadable(`the file has more than ${maxRowLength.toLocaleString('en')} bytes, which is too long for one text`)
    const gate = new Utf8Gate(notUtf8)
    let text = ''
    for await (const chunk of readContent(pool, contentId, bytes)) text += gate.take(chunk).toString()
    gate.end()
    return text
  } catch (error) {
    throw naming(name, error)
  }
}
