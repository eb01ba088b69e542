type Path = readonly (string | number)[]

const strangers: readonly unknown[] = [null, true, -1, 1.5, 1e300, '', ' ', '..', [], {}, [[]], { a: { b: 1 } }, 'x'.repeat(1_100_000), '\u202e', -0.0001]

/** The same value with one thing changed, removed or added somewhere inside; the seed chooses which. */
export function mutate(value: unknown, seed: number): unknown {
  const places = [...placesOf(value)]
  const place = places[seed % places.length] ?? []
  const kind = Math.floor(seed / places.length) % 3
  if (kind === 0) return replaceAt(value, place, (old) => (isObject(old) ? { ...old, unknownField: 1 } : strangerTo(old, seed)))
  if (kind === 1) return replaceAt(value, place, (old) => strangerTo(old, seed))
  return replaceAt(value, place, () => undefined)
}

const strangerTo = (old: unknown, seed: number): unknown => strangers.filter((stranger) => JSON.stringify(stranger) !== JSON.stringify(old))[seed % (strangers.length - 1)]

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function* placesOf(value: unknown, path: Path = []): Generator<Path> {
  yield path
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* placesOf(item, [...path, index])
  else if (isObject(value)) for (const [key, item] of Object.entries(value)) yield* placesOf(item, [...path, key])
}

function replaceAt(value: unknown, [step, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (step === undefined) return change(value) ?? null
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === step ? replaceAt(item, rest, change) : item))
  const { [step]: old, ...others } = value as Record<string, unknown>
  const fresh = rest.length === 0 ? change(old) : replaceAt(old, rest, change)
  return fresh === undefined ? others : { ...others, [step]: fresh }
}
