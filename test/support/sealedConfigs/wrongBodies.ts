import { draftOf, loginPath, otherDraftOf, type SealedKind } from './records.ts'

/** A body that is refused, and where its faults are. */
interface WrongBody {
  readonly what: string
  readonly body: unknown
  readonly paths: readonly string[]
}

const typeWords = ['unheard-of', 'AWS4', 'file', '', ' aws4', 'constructor', '__proto__', 'toString', null, 4, ['aws4']]

/** The draft with a field added to the object at a path. */
function withField(draft: object, path: string, name: string, value: unknown): unknown {
  const body: Record<string, unknown> = { ...structuredClone(draft) }
  const steps = path.split('/').slice(1)
  const parent = steps.reduce<Record<string, unknown>>((node, step) => node[step] as Record<string, unknown>, body)
  parent[name] = value
  return body
}

function withoutField(draft: object, path: string): unknown {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return JSON.parse(JSON.stringify(withField(draft, path.slice(0, -name.length - 1), name, undefined)))
}

/** Bodies of create and update that are refused, whatever the record is. */
export function wrongBodies(kind: SealedKind, name: string): WrongBody[] {
  const draft = draftOf(kind, name)
  const login = loginPath[kind]
  const unknown = ['', '/config', `/config/${kind}`, '/config/credentials', login].map((path) => ({
    what: `an unknown field in ${path || 'the body'}`,
    body: withField(draft, path, 'surprise', { deep: 1 }),
    paths: [`${path}/surprise`],
  }))
  const missing = ['/type', '/config', `/config/${kind}`, `/config/${kind}/name`].map((path) => ({ what: `no ${path}`, body: withoutField(draft, path), paths: [path] }))
  const words = typeWords.map((type) => ({ what: `the type ${JSON.stringify(type)}`, body: { ...draft, type }, paths: ['/type'] }))
  return [
    ...unknown,
    ...missing,
    ...words,
    { what: 'a config that is a list', body: { ...draft, config: [] }, paths: ['/config'] },
    { what: 'a config that is text', body: { ...draft, config: '{}' }, paths: ['/config'] },
    { what: 'a body that is a list', body: [draft], paths: [''] },
    { what: 'a body that is null', body: null, paths: [''] },
    { what: 'two unknown fields', body: withField({ ...draft, extra: 1 }, login, 'a/b~c', 1), paths: ['/extra', `${login}/a~1b~0c`] },
    { what: 'a config of another type', body: { ...draft, config: otherDraftOf(kind, name, 's').config }, paths: otherTypePaths[kind] },
  ]
}

const otherTypePaths = {
  credential: ['/config/credentials/aws4', '/config/credentials/custom'],
  store: ['/config/configuration/bucket', '/config/configuration/url', '/config/credentials/token'],
} as const
