import type { Kind } from '../../src/query/command.ts'
import { commonFlags } from '../../src/query/commonFlags.ts'
import { commands } from '../../src/query/commands/index.ts'
import type { Param } from '../../src/query/params.ts'
import { operationList } from '../../src/contract/index.ts'
import { grants } from '../../src/contract/scopes.ts'
import { settings } from '../../src/platform/env.ts'
import { errorCatalogue } from '../../src/platform/errors.ts'
import { engineOf } from '../../src/services/notBuilt.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const row = (...cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`
const table = (head: string[], rows: string[][]): string => [row(...head), `|${head.map(() => '---|').join('')}`, ...rows.map((cells) => row(...cells))].join('\n')

const note = 'Generated from the tables of the source by `npm run reference`; a test fails when this page differs from them.'

/** The reference pages, by file name: whatever the tables say, in Markdown. */
export function referencePages(): Record<string, string> {
  return { 'settings.md': settingsPage(), 'errors.md': errorsPage(), 'operations.md': operationsPage(), 'scopes.md': scopesPage(), 'commands.md': commandsPage() }
}

function settingsPage(): string {
  const rows = Object.values(settings).map((setting) => {
    const { name, doc, fallback } = setting as { name: string; doc: string; fallback?: string }
    return [`\`${name}\``, doc, machineDependent.has(name) ? 'by the number of cores' : fallback ? `\`${fallback}\`` : 'unset']
  })
  return `# Settings\n\n${note}\n\nEnvironment variables, read once when a process starts. A bad value ends the start with all problems listed.\n\n${table(['name', 'meaning', 'default'], rows)}\n`
}

const machineDependent = new Set(['QUERY_CONCURRENCY', 'BROWSER_CONCURRENCY'])

function errorsPage(): string {
  const rows = Object.entries(errorCatalogue).map(([code, { status, title, retryable }]) => [`\`${code}\``, String(status), title, retryable ? 'yes' : 'no'])
  return `# Errors\n\n${note}\n\nEvery failure is \`application/problem+json\` with a \`code\` that is never renamed.\n\n${table(['code', 'status', 'meaning', 'worth a retry'], rows)}\n`
}

function operationsPage(): string {
  const rows = operationList
    .toSorted(([, a], [, b]) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1))
    .map(([id, { method, path, summary, scope, ownScope }]) => [`\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\``, summary, `\`${scope}\`${ownScope ? `, or \`${ownScope}\` for its own` : ''}`, `\`${id}\``, engineOf(id) ? `comes with ${engineOf(id)}` : ''])
  return `# Operations\n\n${note}\n\nThe schemas are in \`GET /v1/openapi.json\` and on the page \`/docs\`.\n\n${table(['route', 'operation', 'scope', 'id', 'not built yet'], rows)}\n`
}

function scopesPage(): string {
  const rows = grants.map((grant) => {
    const ids = operationList.filter(([, { scope, ownScope }]) => scope === grant || ownScope === grant).map(([id, { scope }]) => `\`${id}\`${scope === grant ? '' : ' (its own)'}`)
    return [`\`${grant}\``, grant === 'admin' ? 'everything' : grant.endsWith(':*') ? `\`${grant.replace('*', 'read')}\` and \`${grant.replace('*', 'write')}\`` : ids.join(' ')]
  })
  return `# Scopes\n\n${note}\n\n${table(['scope', 'allows'], rows)}\n`
}

const kinds: Readonly<Record<Kind, string>> = {
  generate: 'makes rows',
  map: 'row by row',
  reduce: 'over all rows',
  expand: 'one job a row, on any worker',
  sink: 'sends rows out and passes them on',
}

function commandsPage(): string {
  const sections = commands.map(({ name, kind, summary, args, flags, examples }) => {
    const usage = Object.entries(args).map(([arg, param]) => `${param.optional ? `[${arg}]` : `<${arg}>`}${param.rest ? ' …' : ''}`)
    const rows = [...Object.entries(args), ...Object.entries(flags).map(([flag, param]) => [`--${flag}`, param] as const)]
    const lines = rows.map(([word, param]) => [`\`${word}\``, shapeOf(param), param.doc, defaultOf(param)])
    return [
      `## ${name}`,
      `\`${[name, ...usage].join(' ')}\` — ${kind}: ${kinds[kind]}. ${summary}.`,
      ...(lines.length > 0 ? [table(['', 'is', 'meaning', 'default'], lines)] : []),
      examples.map((example) => `    ${example}`).join('\n'),
    ].join('\n\n')
  })
  const common = table(['flag', 'is', 'meaning', 'default'], Object.entries<Param>(commonFlags).map(([flag, param]) => [`\`--${flag}\``, shapeOf(param), param.doc, defaultOf(param)]))
  return `# Commands\n\n${note}\n\nEvery command also takes these flags:\n\n${common}\n\n${sections.join('\n\n')}\n`
}

/** Words that a table lists; of more only what they are is said. */
const mostWords = 20

/** What a value looks like. */
const shapeOf = ({ words, type }: Param): string => (words && words.length <= mostWords ? words.join(', ') : type)

function defaultOf({ fallback, optional, repeatable, rest }: Param): string {
  if (repeatable) return 'may be given several times'
  if (fallback && !rest) return `\`${String(fallback.value)}\``
  return optional ? '' : 'required'
}
