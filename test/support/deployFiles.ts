import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CORE_SCHEMA, loadAll, mergeTag } from 'js-yaml'

/** The folder of the deployment files. */
export const deployDir = resolve('ops/deploy')

/** Whatever a YAML or JSON file holds. */
export type Tree = { readonly [name: string]: Tree } & { readonly [index: number]: Tree } & Iterable<Tree>

/** The text of a deployment file. */
export const readDeployFile = (name: string): string => readFileSync(resolve(deployDir, name), 'utf8')

/** The names of all deployment files with this ending. */
export function deployFiles(ending: string): string[] {
  return readdirSync(deployDir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending)).sort()
}

/** The documents of a YAML file; throws where it is broken or names a key twice. */
export function readYaml(name: string): Tree[] {
  // Compose files use merge keys.
  return loadAll(readDeployFile(name), { schema: CORE_SCHEMA.withTags(mergeTag) }) as Tree[] // the tests look into whatever is there
}

/** All objects of the Kubernetes files with this kind, by name. */
export function kubernetesObjects(kind: string): Map<string, Tree> {
  const documents = deployFiles('.yaml').filter((name) => name.startsWith('kubernetes/')).flatMap(readYaml)
  const found = documents.filter((document) => String(document['kind']) === kind)
  return new Map(found.map((document) => [String(document['metadata']?.['name']), document]))
}

/** A value below an object, by its path; undefined where there is none. */
export function at(tree: Tree | undefined, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], tree)
}
