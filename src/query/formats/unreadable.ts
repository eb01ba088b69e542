import { Problem } from '../../platform/errors.ts'

/** Where in a file a fault is; all of them count from 1. */
export interface Place {
  readonly line?: number
  readonly column?: number
  /** The row, where lines do not tell it. */
  readonly row?: number
  readonly byte?: number
}

/** Longest row, in bytes or characters of its file: what holds a row in memory must have a bound. */
export const maxRowLength = 8 * 2 ** 20

/** The problem of data that cannot be read as rows. */
export function unreadable(reason: string, place: Place = {}): Problem {
  const where = Object.entries(place).map(([name, number]) => `${name} ${number}`)
  const beginning = where.length === 0 ? '' : `${where.join(', ')}: `
  const text = `${beginning}${reason}.`
  return new Problem('unreadable_file', text.charAt(0).toUpperCase() + text.slice(1), { extra: place as Readonly<Record<string, unknown>> })
}

/** The problem of a row that does not end within its bound. */
export function rowTooLong(place: Place): Problem {
  return unreadable(`the row is longer than ${maxRowLength.toLocaleString('en')} characters`, place)
}

/** The problem of data that is not UTF-8. */
export function notUtf8(byte: number): Problem {
  return unreadable('the text is not valid UTF-8', { byte })
}
