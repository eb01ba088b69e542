/** A start that cannot go on for a reason that the user can mend; the message says what, where and how, so no stack is shown. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** The text of whatever was thrown. */
export function reasonOf(error: unknown): string {
  // Node reports a refused connection to several addresses as an aggregate without a text of its own.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/\.+$/, '')
}
