import { commands } from '../../src/query/commands/index.ts'

/** A source of numbers below a limit that is the same for the same seed. */
export function randomSource(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

const snippets = [
  ' ', '\n', '\t', '||', '|', '--', '-', '=', '"', "'", '`', '```', '```json\n', '\\', '\\"', "\\'", '$', '$$', '$a$', '$a.$', '$ROW$', '/*', '*/', '(', ')', '[', ']', '{', '}', ',', '.', ':', '#', '😀', '\ud83d', '\u0000', '\u2028',
  'a', 'a.0.b', '5', '-5', '1e999', 'true', 'null', 'and', 'or', 'not', 'in', '==', '=~', '!~', 'lower(', 'lowr(', "'('", '__proto__', 'constructor',
  '--cache', '--cache=false', '--labelStage x', '--appendStage', '--bogus', 'filter "', "seed '[", 'range 3', 'table a b', ' || ',
]

/** Queries that are right, pieces put together by chance, and right ones with something cut out, doubled or put in. */
export function randomQuery(random: (limit: number) => number): string {
  const examples = commands.flatMap(({ examples }) => examples)
  const pick = <Item>(list: readonly Item[]): Item => list[random(list.length)] as Item // the index is below the length
  if (random(3) === 0) return Array.from({ length: random(25) }, () => pick(snippets)).join(random(2) === 0 ? ' ' : '')
  let text: string = pick(examples)
  for (let left = 1 + random(5); left > 0; left -= 1) {
    const [from, length] = [random(text.length + 1), random(8)]
    const change = [pick(snippets), '', text.slice(from, from + length).repeat(2), String.fromCharCode(random(0x10000))][random(4)] ?? ''
    text = text.slice(0, from) + change + text.slice(from + (random(2) === 0 ? 0 : length))
  }
  return text
}
