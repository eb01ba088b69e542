import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { readImports, withoutComments } from './imports.ts'

/** A file of the source, by its path from the root of the checkout. */
export interface Source {
  readonly path: string
  readonly text: string
}

interface Zone {
  /** The zones that it may import beside itself. */
  readonly zones: readonly string[]
  /** The packages that it may import, where not any will do; Node's own modules count as packages. */
  readonly packages?: RegExp
}

/** The direction of imports. */
const zones: Readonly<Record<string, Zone>> = {
  'src/contract': { zones: [], packages: /^typebox$/ },
  'src/platform': { zones: [] },
  'src/client': { zones: ['src/contract'], packages: /^typebox$/ },
  'src/query': { zones: ['src/contract', 'src/platform'] },
  'src/queues': { zones: ['src/contract', 'src/platform'] },
  'src/governor': { zones: ['src/contract', 'src/platform'] },
  'src/services': { zones: ['src/contract', 'src/platform', 'src/query', 'src/queues', 'src/governor'] },
  'src/api': { zones: ['src/contract', 'src/platform', 'src/queues', 'src/services'] },
  'src/console': { zones: ['src/contract', 'src/client'] },
  'workers': { zones: ['src/contract', 'src/platform', 'src/query', 'src/queues', 'src/governor', 'src/services'] },
}

/** Packages that only one place may import. */
const owners: ReadonlyArray<{ readonly packages: RegExp; readonly place: string }> = [
  { packages: /^(puppeteer(-.*)?|@puppeteer\/.*)$/, place: 'workers/browser/' },
  { packages: /^bottleneck$/, place: 'src/governor/' },
  { packages: /^@opentelemetry\/.*$/, place: 'src/platform/spanSink.ts' },
  { packages: /^(koa|@koa\/.*|koa-.*)$/, place: 'src/api/' },
]

/** What the language must not know: it is text in, plan out, rows in, rows out. */
const impure = /^(ioredis|redis|bullmq|pg|prisma|@prisma\/.*|src\/platform\/(redis\.ts|prisma\/.*))$/

/** The one file that reads the environment. */
const environmentReader = 'src/platform/env.ts'
const environment = /\bprocess\s*(\.\s*env\b|\[\s*['"]env['"]\s*\])|\benv\b[^={}]*\}\s*=\s*process\b/

/** Made by Prisma: others may import it, but it is not held to our rules. */
const generated = 'src/platform/prisma/generated/'

/** Every source file below src and workers. */
export async function readSources(root: string): Promise<Source[]> {
  const list = (folder: string) => readdir(join(root, folder), { recursive: true, withFileTypes: true })
  const listed = await Promise.all(['src', 'workers'].map(list))
  const files = listed.flat().filter((entry) => entry.isFile() && /\.(ts|tsx|js|mjs)$/.test(entry.name))
  const paths = files.map((entry) => posix.relative(root, posix.join(entry.parentPath, entry.name))).toSorted()
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })))
}

/** Everything in these sources that goes through a wall, one sentence each. */
export function findBreaches(sources: readonly Source[]): string[] {
  const ours = sources.filter(({ path }) => !path.startsWith(generated))
  return [...ours.flatMap((source) => [...importBreaches(source), ...environmentBreaches(source)]), ...findCycles(ours)]
}

function importBreaches({ path, text }: Source): string[] {
  const zone = zoneOf(path)
  const rules = zones[zone]
  if (!rules) return [`${path} is in no zone: give ${zone} its line in the direction of imports`]
  return readImports(text).flatMap(({ of }) => {
    const target = resolveImport(path, of)
    const reason = target.startsWith('./') ? fileReason(zone, rules, target.slice(2)) : packageReason(path, rules, packageOf(target))
    return [reason, purityReason(zone, target)].filter((words) => words !== null).map((words) => `${path} imports ${of}: ${words}`)
  })
}

function purityReason(zone: string, target: string): string | null {
  return zone === 'src/query' && impure.test(target.replace(/^\.\//, '')) ? 'the language knows no Redis, Prisma or BullMQ' : null
}

function fileReason(zone: string, rules: Zone, target: string): string | null {
  const other = zoneOf(target)
  return other === zone || rules.zones.includes(other) ? null : `${zone} may import ${rules.zones.join(', ') || 'packages only'}`
}

function packageReason(path: string, rules: Zone, name: string): string | null {
  if (!/^(node:)?[@a-z0-9][\w./-]*$/.test(name)) return 'only a literal name can be checked'
  if (rules.packages && !rules.packages.test(name)) return `${zoneOf(path)} may import no package but ${rules.packages.source}`
  const owner = owners.find(({ packages }) => packages.test(name))
  return owner && !path.startsWith(owner.place) ? `only ${owner.place} may` : null
}

function environmentBreaches({ path, text }: Source): string[] {
  if (path === environmentReader) return []
  const reads = environment.test(withoutComments(text)) || readImports(text).some(({ of }) => /^(node:)?process$/.test(of))
  return reads ? [`${path} reads process.env: only ${environmentReader} does`] : []
}

/** Cycles between files at run time; a type-only import binds nothing, and a dynamic one comes later. */
function findCycles(sources: readonly Source[]): string[] {
  const graph = new Map(sources.map(({ path, text }) => [path, boundBy(path, text)]))
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const begin = trail.indexOf(path)
    if (begin >= 0) cycles.push(`${[...trail.slice(begin), path].join(' -> ')} is a cycle`)
    if (begin >= 0 || done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return cycles
}

function boundBy(path: string, text: string): string[] {
  const bound = readImports(text).filter(({ typeOnly, dynamic }) => !typeOnly && !dynamic)
  return bound.map(({ of }) => resolveImport(path, of)).filter((target) => target.startsWith('./')).map((target) => target.slice(2))
}

/** `./path/from/the/root` for a file, the text itself for a package. */
function resolveImport(path: string, of: string): string {
  return /^\.{1,2}\//.test(of) ? `./${posix.join(posix.dirname(path), of)}` : of
}

const packageOf = (specifier: string): string => specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/')

const zoneOf = (path: string): string => path.split('/').slice(0, path.startsWith('src/') ? 2 : 1).join('/')
