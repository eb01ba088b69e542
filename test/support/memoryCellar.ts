import { Problem } from '../../src/platform/errors.ts'
import type { Cellar, FileFormat } from '../../src/query/outside.ts'
import type { Row } from '../../src/query/rows.ts'
import { inBatches } from '../../src/query/stream.ts'

/** A cellar for stages that run without a database; what they have written to the end is in `written`. */
export interface MemoryCellar extends Cellar {
  readonly written: Map<string, { readonly rows: Row[]; readonly format: FileFormat; readonly append: boolean }>
}

/** A cellar that holds these files. */
export function openMemoryCellar(files: Readonly<Record<string, readonly Row[]>> = {}): MemoryCellar {
  const written: MemoryCellar['written'] = new Map()
  return {
    written,
    async *rows(name) {
      const rows = files[name]
      if (!rows) throw new Problem('not_found', `There is no cellar file ${JSON.stringify(name)}.`)
      yield* inBatches(structuredClone(rows))
    },
    has: async (name) => Object.hasOwn(files, name),
    text: async (name) => JSON.stringify(files[name]),
    write(name, options) {
      const rows: Row[] = []
      return {
        add: async (batch) => void rows.push(...structuredClone(batch)),
        end: async () => void written.set(name, { rows, ...options }),
      }
    },
  }
}
