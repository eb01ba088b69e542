import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Which libraries an expression asks for. */
export interface LibraryWishes {
  readonly jquery?: boolean
  readonly lodash?: boolean
  readonly mathjs?: boolean
}

type Library = keyof Required<LibraryWishes>

/** The name under which an expression finds each library. */
const names: Readonly<Record<Library, string>> = { jquery: '$', lodash: '_', mathjs: 'mathjs' }

const packages = createRequire(import.meta.url)

const files: Readonly<Record<Library, () => string>> = {
  jquery: () => join(dirname(packages.resolve('jquery')), 'jquery.min.js'),
  lodash: () => packages.resolve('lodash/lodash.min.js'),
  mathjs: () => join(dirname(packages.resolve('mathjs/package.json')), 'lib/browser/math.js'),
}

const sources = new Map<Library, Promise<string>>()

/** Source of an expression whose value is the library; it leaves nothing behind in the page. */
export function librarySource(library: Library): Promise<string> {
  const known = sources.get(library) ?? readLibrary(library)
  sources.set(library, known)
  return known
}

/** Source of an expression whose value is the object of all libraries that are asked for; null where none is. */
export async function librariesSource(wishes: LibraryWishes): Promise<string | null> {
  const wanted = (Object.keys(names) as Library[]).filter((library) => wishes[library] === true) // the keys of `names`
  if (wanted.length === 0) return null
  const members = await Promise.all(wanted.map(async (library) => `${names[library]}: ${await librarySource(library)}`))
  return `({ ${members.join(',\n')} })\n//# sourceURL=libraries`
}

/** As in a module, so that the library sees where to put itself and does not become a global. */
async function readLibrary(library: Library): Promise<string> {
  const text = await readFile(files[library](), 'utf8')
  const wrapped = `(function () {\n${text}\n}).call(globalThis)`
  return `((module, define) => { const exports = module.exports; ${wrapped}; return module.exports })({ exports: {} })`
}
