/** A set-up that cannot go on for a reason that the user can mend; its message says what, where and how, so no stack is shown. */
export class SetupError extends Error {
  name = 'SetupError'
}

const expected = new Set(['SetupError', 'StartError', 'SettingsError', 'MigrationError'])

/** Ends the process with one message; only a fault of our own shows its stack. */
export function fail(error) {
  const known = error instanceof Error && expected.has(error.name)
  const text = known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`\n${text.trimEnd()}\n`)
  process.exit(1)
}
