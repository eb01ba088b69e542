const plain = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const maxLength = 40
/** A decimal of so many digits comes back from a double as it was. */
const safeLength = 15

/** Whether a text is a number as people write it and a double holds it: no leading zeros, plus signs, exponents or spaces. */
export function isPlainNumber(text: string): boolean {
  if (text.length > maxLength || !plain.test(text)) return false
  return text.length <= safeLength || String(Number(text)) === text
}
