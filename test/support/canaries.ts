interface Node {
  readonly secret?: boolean
  readonly properties?: Readonly<Record<string, Node>>
  readonly patternProperties?: Readonly<Record<string, Node>>
}

/** The value with a fresh, remembered canary in place of every secret text; without a schema, in place of every text. */
export function plantCanaries<Value>(value: Value, canaries: Set<string>, schema: unknown = { secret: true }): Value {
  return plant(value, canaries, schema as Node) as Value // only texts change
}

function plant(value: unknown, canaries: Set<string>, node: Node | undefined): unknown {
  if (typeof value === 'string') return node?.secret ? fresh(value, canaries) : value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = Object.entries(value).map(([key, item]) => [key, plant(item, canaries, node?.properties?.[key] ?? Object.values(node?.patternProperties ?? {})[0])])
  return Object.fromEntries(fields)
}

/** A key in PEM or JSON keeps its form, since the schema checks it. */
function fresh(value: string, canaries: Set<string>): string {
  const canary = `canary${crypto.randomUUID().replaceAll('-', '')}`
  canaries.add(canary)
  if (value.startsWith('-----BEGIN')) return value.replace(/\n[^\n-]+/, `\n${canary}`)
  return value.startsWith('{') ? value : canary
}
