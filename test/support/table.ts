import { fillPath } from '../../src/client/index.ts'
import { operationList, type OperationId } from '../../src/contract/index.ts'
import type { Operation } from '../../src/contract/define.ts'
import { unknownId } from './api.ts'

/** Every operation that needs a key. */
export const guardedOperations = operationList.filter(([, { scope }]) => scope !== 'public')

/** A path of the operation with something in place of its parameters: a word that its schema knows, else an id that nothing has. */
export function samplePath({ path, params }: Operation): string {
  const fields = (params?.properties ?? {}) as Record<string, { enum?: readonly string[] }>
  return fillPath(path, Object.fromEntries([...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => [name, fields[name]?.enum?.[0] ?? unknownId])))
}

/** The methods that the table knows for a concrete path, whichever rows its steps fit. */
export function methodsOf(path: string): string[] {
  const steps = path.split('/')
  const fits = (row: string): boolean => {
    const pattern = row.split('/')
    return pattern.length === steps.length && pattern.every((step, index) => (step.startsWith(':') ? steps[index] !== '' : step === steps[index]))
  }
  const methods = new Set(operationList.filter(([, operation]) => fits(operation.path)).map(([, { method }]) => method as string))
  return [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].toSorted()
}

/** Operations by their paths, each with its first row. */
export const operationPaths: readonly (readonly [path: string, id: OperationId])[] = [
  ...new Map(operationList.toReversed().map(([id, operation]) => [samplePath(operation), id])),
]
