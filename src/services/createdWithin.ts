import { invalid, type Fault } from '../platform/errors.ts'

/** The range of times that the filters `from` and `to` of a list ask for, or a 400 where one of them is no time. */
export function createdWithin(from: string | undefined, to: string | undefined): { gte?: Date; lt?: Date } {
  const faults: Fault[] = []
  const instant = (name: string, text: string): Date => {
    const date = new Date(text)
    if (Number.isNaN(date.getTime())) faults.push({ path: `/${name}`, message: 'must be a time without a leap second', in: 'query' })
    return date
  }
  const range = { ...(from === undefined ? {} : { gte: instant('from', from) }), ...(to === undefined ? {} : { lt: instant('to', to) }) }
  if (faults.length > 0) throw invalid(faults)
  return range
}
