import { invalid, type Fault } from '../platform/errors.ts'

/** The database counts no year 0, which ISO 8601 does. */
const earliest = Date.parse('0001-01-01T00:00:00Z')

/** The range of times that the filters `from` and `to` of a list ask for, or a 400 where one of them is no time. */
export function createdWithin(from: string | undefined, to: string | undefined): { gte?: Date; lt?: Date } {
  const faults: Fault[] = []
  const instant = (name: string, text: string): Date => {
    const date = new Date(text)
    if (!(date.getTime() >= earliest)) faults.push({ path: `/${name}`, message: 'must be a time of the year 1 or later, without a leap second', in: 'query' })
    return date
  }
  const range = { ...(from === undefined ? {} : { gte: instant('from', from) }), ...(to === undefined ? {} : { lt: instant('to', to) }) }
  if (faults.length > 0) throw invalid(faults)
  return range
}
