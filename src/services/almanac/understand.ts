import type { House } from '../house.ts'
import { understand } from '../sirp/queryPlans.ts'
import { fillStoredTemplate, type FilledTemplate } from '../sirp/templateRuns.ts'

/** What a schedule runs, and where. */
export interface ScheduledText {
  readonly query: string
  /** The values of a template; null where the query is none. */
  readonly values: Readonly<Record<string, unknown>> | null
  readonly sirpUrl: string | null
}

/** The query of a schedule, ready to run. */
export type UnderstoodQuery = Pick<FilledTemplate, 'parsed' | 'templateId'> & { readonly known?: FilledTemplate['known'] }

/** Reads the query of a schedule, or throws a 422 that says what is wrong; what it names on another instance only that one knows. */
export async function understandSchedule(house: House, { query, values, sirpUrl }: ScheduledText): Promise<UnderstoodQuery> {
  if (values !== null) return fillStoredTemplate(house, query, values)
  return { parsed: await understand(house, query, sirpUrl !== null) }
}
