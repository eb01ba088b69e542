import { beforeAll, describe, expect, test } from 'vitest'
import { parseQuery } from '../../src/query/plan.ts'
import { maxFaults } from '../../src/query/text/fault.ts'
import type { Piece } from '../../src/query/text/lexer.ts'
import { Places } from '../../src/query/text/place.ts'
import { randomQuery, randomSource } from '../support/randomQueries.ts'

/** Checks what holds for every text; `expect` a thousand times over would take longer than the parsing. */
function holds(text: string): boolean {
  const { stages, faults, syntax } = parseQuery(text)
  const places = new Places(text)
  const inOrder = faults.every(({ start }, index) => index === 0 || start >= (faults[index - 1]?.start ?? 0))
  const inside = faults.every(({ start, end, message }) => start >= 0 && start <= text.length && end >= start && end <= text.length + 1 && message !== '')
  const placed = faults.every(({ start, end }) => {
    const { line, column, length } = places.of(start, end)
    return line >= 1 && column >= 1 && length >= 0
  })
  const whole = faults.length > 0 || (stages.length > 0 && stages.length === syntax.stages.length)
  return faults.length <= maxFaults && inOrder && inside && placed && whole && piecesHold(text, syntax.pieces)
}

/** Pieces follow one another, and between them is only white space or the `=` of a flag. */
function piecesHold(text: string, pieces: readonly Piece[]): boolean {
  let end = 0
  for (const piece of pieces) {
    if (piece.start < end || piece.end > text.length || !/^[\s\ufeff]*=?$/.test(text.slice(end, piece.start))) return false
    end = piece.end
  }
  return true
}

describe('parseQuery', () => {
  test.for(Array.from({ length: 20 }, (_, chunk) => chunk))('takes any text: 5,000 queries of seed %i', (seed) => {
    const random = randomSource(seed)
    let slowest = { text: '', ms: 0 }
    for (let left = 5_000; left > 0; left -= 1) {
      const text = randomQuery(random)
      const begin = performance.now()
      const isRight = holds(text)
      const ms = performance.now() - begin
      if (ms > slowest.ms) slowest = { text, ms }
      if (!isRight) expect.fail(`seed ${seed}: ${JSON.stringify(text)}`)
    }
    expect(slowest.ms, slowest.text).toBeLessThan(3_000)
  })
})

const size = 2 ** 20

/** Checks how long something takes; it has three tries, because other tests keep the machine busy meanwhile. */
function expectWithin(limitMs: number, run: () => void): void {
  let quickestMs = Infinity
  for (let tries = 0; tries < 3 && quickestMs >= limitMs; tries += 1) {
    const begin = performance.now()
    run()
    quickestMs = Math.min(quickestMs, performance.now() - begin)
  }
  expect(quickestMs).toBeLessThan(limitMs)
}

/** A mebibyte of one unit between a beginning and an end. */
const much = (unit: string, begin = '', end = ''): string => begin + unit.repeat(Math.floor((size - begin.length - end.length) / unit.length)) + end

describe('a mebibyte', () => {
  beforeAll(() => {
    const random = randomSource(1)
    for (let left = 500; left > 0; left -= 1) parseQuery(randomQuery(random))
  })

  test.for(Object.entries({
    'double quotes': much('"'),
    'single quotes': much("'"),
    'quoted arguments without spaces': much("''", 'table '),
    'back-quotes': much('`'),
    'dollars': much('$'),
    'dollars in a value': much('$', 'addcolumn a '),
    'broken tokens in a value': much('$a.$', 'addcolumn a "', '"'),
    'dashes': much('-'),
    'separators': much('||'),
    'one word': much('x'),
    'white space': much(' '),
    'line breaks': much('\n'),
    'emoji': much('😀'),
    'open comments': much('/*'),
    'small comments': much('/**/'),
    'back-slashes in a quote': much('\\', 'filter "', '"'),
    'unknown flags': much('--a ', 'range 1 '),
    'mistyped flags': much('--cachx ', 'range 1 '),
    'one flag again and again': much('--guid ', 'range 1 '),
    'a repeatable flag': much('--set a ', 'form a --submit b '),
    'unknown commands': much('rangf||', '', 'range 1'),
    'arguments': much('a ', 'table '),
    'too many arguments': much('a ', 'range 1 '),
    'one huge flag name': much('x', 'range 1 --'),
    'references to nothing': much('range 1 --appendStage zz||', '', 'range 1'),
    'faults on one line': much('limit x 😀 || ', '', 'limit'),
    'open parentheses': much('(', 'filter "', '"'),
    'open lists': much('[', 'filter "', '"'),
    'negations': much('not ', 'filter "', '"'),
    'additions': much('1+', 'filter "', '1"'),
    'unknown functions': much('lowr(1)+', 'filter "', '1"'),
    'symbols without meaning': much('#', 'filter "', '"'),
    'dollars in an expression': much('$', 'filter "', '"'),
    'strings in an expression': much("'' ", 'filter "', '"'),
    'digits in an expression': much('1', 'filter "', '"'),
    'a huge pattern': much('a', "filter \"a =~ '", "'\""),
    'broken patterns': much("a =~ '(' or ", 'filter "', 'a"'),
    'tokens among escapes': much("$a$\\'", "addcolumn a '", "'"),
    'tokens in a value that is read later': much('$a$ ', "range 1 --labelStage '", "'"),
    'tokens in JSON': much('{a:"$a$ b"},', "seed '[", "{}]'"),
    'columns in a flag': much('a ', 'range 1 --table "', '"'),
    'values of a template': `runTemplate a ${Array.from({ length: 50_000 }, (_, number) => `--template.a${number} 1 `).join('')}`,
    'groups of a replacement': much('$1 ', "replace a '(a)' '", "' --regex"),
    'conditions and values': much("'n < 2' small ", 'case size '),
    'aggregates of one name': much('sum(a) ', 'stats '),
  }))('of %s is read at once', ([, text]) => {
    expectWithin(3_000, () => {
      const { faults } = parseQuery(text)
      const places = new Places(text)
      for (const { start, end } of faults) places.of(start, end)
    })
  })

  test.for(Object.entries({
    'stages': much('range 1||', '', 'range 1'),
    'labelled stages': much('range 1 --labelStage a||', '', 'range 1'),
    'nested JSON': much('[', "seed '", "'"),
    'lenient JSON': much('1,', "seed '[", "]'"),
  }))('of %s is read in a bounded time', ([, text]) => {
    expectWithin(8_000, () => parseQuery(text))
  })
})
