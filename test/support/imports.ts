/** One import of a source file. */
export interface Import {
  /** What is imported, as written; in brackets where it is no literal. */
  readonly of: string
  /** Gone after compilation, so that it binds no two files at run time. */
  readonly typeOnly: boolean
  /** Loaded when the code gets there, and not before the file itself. */
  readonly dynamic: boolean
}

const comment = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/
const text = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/
const staticImport = /\b(?:import|export)\s+(?<type>type\s+(?!from\b))?(?:[^'";]*?\bfrom\s*)?(?:'(?<single>[^'\n]+)'|"(?<double>[^"\n]+)")/
const loader = /\b(?:import|(?:require|createRequire\(import\.meta\.url\))(?:\.resolve)?)\s*\(\s*/
const loaded = /(?:'(?<one>[^'\n]+)'|"(?<two>[^"\n]+)"|(?<computed>[^'")\s][^)\n]*))/

const importOrSkip = new RegExp([staticImport.source, loader.source + loaded.source, comment.source, text.source].join('|'), 'g')
const commentOrText = new RegExp(`(?<comment>${comment.source})|${text.source}`, 'g')

/** The imports of a source text: static, dynamic, of types, and re-exports; those in comments and quoted texts do not count. */
export function readImports(source: string): Import[] {
  const found = [...source.matchAll(importOrSkip)].map(({ groups = {} }) => {
    const { type, single, double, one, two, computed } = groups
    const fixed = single ?? double
    if (fixed !== undefined) return { of: fixed, typeOnly: type !== undefined, dynamic: false }
    const later = one ?? two ?? (computed === undefined ? null : `(${computed})`)
    return later === null ? null : { of: later, typeOnly: false, dynamic: true }
  })
  return found.filter((one) => one !== null)
}

/** A source text without its comments. */
export function withoutComments(source: string): string {
  return source.replaceAll(commentOrText, (match, ...rest) => ((rest.at(-1) as { comment?: string }).comment === undefined ? match : ' '))
}
