/** A JSON pointer one step further, with the step's own `~` and `/` escaped. */
export function pointerTo(path: string, step: string | number): string {
  return `${path}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
