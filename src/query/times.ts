import { DateTime, type Zone } from 'luxon'
import type { Cell, Row } from './rows.ts'

/** Reads a point in time: epoch milliseconds, or null where the value is none. */
export type ReadTime = (cell: Cell) => number | null

/** Where a text names no zone of its own, it means this one. */
export type TimeZone = Zone | string

/** Numbers below this are seconds, others milliseconds: as seconds it is the year 5138, as milliseconds 1973. */
const leastMs = 1e11
/** Latest and earliest time that a date can hold. */
const maxEpochMs = 8.64e15
const epochText = /^-?\d{9,16}(?:\.\d{1,9})?$/
/** Without a year it is a time of day, and no point in time. */
const beginsWithYear = /^[+-]?\d{4}/
const compactTimes = ['yyyyMMddHHmmss', 'yyyyMMdd']
const days = ['d MMM yyyy', 'd MMMM yyyy', 'MMM d, yyyy', 'MMMM d, yyyy', 'MMM d yyyy', 'yyyy/M/d', 'd.M.yyyy', 'M/d/yyyy', 'd-MMM-yyyy', 'EEE MMM d yyyy', 'EEEE, MMMM d, yyyy', 'EEEE, d MMMM yyyy']
const hours = ['', ' H:mm', ' H:mm:ss', ' h:mm a', ' h:mm:ss a', ', H:mm', ', H:mm:ss', ', h:mm a', ', h:mm:ss a']

/** The columns of a point in time. */
export function timestampCells(epochMs: number | null): Row {
  return { '_timestamp.epoch': epochMs, '_timestamp.iso': epochMs === null ? null : new Date(epochMs).toISOString() }
}

/** Reads times of one written format, in luxon's letters. */
export function readFormatted(format: string, zone: TimeZone): ReadTime {
  const read = formatReader(format, zone)
  return (cell) => (cell === null || cell === '' ? null : read(String(cell).trim()))
}

/** Why a written format can read no time, or null: some of its letters do not go together, such as HH and a. */
export function formatFault(format: string): string | null {
  try {
    formatReader(format, 'UTC')(DateTime.utc().toFormat(format, { locale: 'en' }))
    return null
  } catch (error) {
    return (error as Error).message // luxon throws nothing else
  }
}

/** Reads times as they are commonly written: ISO 8601, SQL, RFC 2822, HTTP, seconds or milliseconds of the epoch, and dates in words. */
export function readCommon(zone: TimeZone): ReadTime {
  const options = { zone, locale: 'en' }
  const compact = compactTimes.map((format) => formatReader(format, zone))
  const readWords = wordsReader(zone)
  const readText = (text: string): number | null => {
    if (/^\d+$/.test(text)) return firstOf(compact, text) ?? (epochText.test(text) ? fromNumber(Number(text)) : epochOf(DateTime.fromISO(text, options)))
    if (epochText.test(text)) return fromNumber(Number(text))
    const dated = beginsWithYear.test(text) ? (epochOf(DateTime.fromISO(text, options)) ?? epochOf(DateTime.fromSQL(text, options))) : null
    const standard = dated ?? epochOf(DateTime.fromRFC2822(text, options)) ?? epochOf(DateTime.fromHTTP(text, options))
    return standard ?? readWords(text)
  }
  return (cell) => (typeof cell === 'number' ? fromNumber(cell) : typeof cell === 'string' ? readText(cell.trim()) : null)
}

/** Dates in words and in numbers; neighbouring rows are mostly written alike, so the format that fitted last is tried first. */
function wordsReader(zone: TimeZone): (text: string) => number | null {
  let readers: Array<(text: string) => number | null> | undefined
  return (text) => {
    readers ??= days.flatMap((day) => hours.map((hour) => formatReader(day + hour, zone)))
    for (const [place, read] of readers.entries()) {
      const found = read(text)
      if (found === null) continue
      readers.splice(place, 1)
      readers.unshift(read)
      return found
    }
    return null
  }
}

function formatReader(format: string, zone: TimeZone): (text: string) => number | null {
  const parser = DateTime.buildFormatParser(format, { locale: 'en' })
  return (text) => epochOf(DateTime.fromFormatParser(text, parser, { zone, locale: 'en' }))
}

function firstOf(readers: ReadonlyArray<(text: string) => number | null>, text: string): number | null {
  for (const read of readers) {
    const found = read(text)
    if (found !== null) return found
  }
  return null
}

const epochOf = (time: DateTime): number | null => (time.isValid ? time.toMillis() : null)

function fromNumber(number: number): number | null {
  const epochMs = Math.round(Math.abs(number) < leastMs ? number * 1000 : number)
  return Math.abs(epochMs) <= maxEpochMs ? epochMs : null
}
