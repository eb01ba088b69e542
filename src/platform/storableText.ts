const replacement = '\ufffd'
const escapes = /\\(?:u[0-9a-f]{4}|.)/g
const unstorable = /^\\u(?:0000|d[89a-f])/

/** Text that PostgreSQL can store: it takes neither the character NUL nor half a surrogate pair. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', replacement)
}

/** JSON that PostgreSQL can store and take apart; `JSON.stringify` writes what it cannot as escapes, and only that. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  return json.includes('\\u') ? json.replace(escapes, (escape) => (unstorable.test(escape) ? replacement : escape)) : json
}
