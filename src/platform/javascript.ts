import { Script } from 'node:vm'

/** Why a text is no JavaScript: neither a value, nor one that awaits, nor statements; null where it is. Nothing of it runs: it is only read. */
export function syntaxFault(source: string): string | null {
  const readings = [`(() => (\n${source}\n))`, `(async () => (\n${source}\n))`, source]
  let fault: string | null = null
  for (const reading of readings) {
    fault = faultOf(reading)
    if (fault === null) return null
  }
  return fault
}

function faultOf(source: string): string | null {
  try {
    return new Script(source) instanceof Script ? null : 'it cannot be read'
  } catch (error) {
    return error instanceof SyntaxError ? error.message : 'it is nested too deeply'
  }
}
