import { Check } from 'typebox/value'
import { FileName } from '../../../contract/schemas.ts'
import { invalidField } from '../../../platform/errors.ts'

/** What the name of a file must be, as the schema says it; its type does not tell the keywords of our own. */
export const fileNameRule = String((FileName as { explain?: string }).explain)

/** The name where it will do, or a 400 for its place. */
export function validName(path: string, name: string): string {
  if (!Check(FileName, name)) throw invalidField(path, fileNameRule)
  return name
}
