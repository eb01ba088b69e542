import { describe, expect, test, vi } from 'vitest'
import { parseQuery } from '../../src/query/plan.ts'
import { Places } from '../../src/query/text/place.ts'
import { rowsOf } from '../support/runQuery.ts'
import { cpuMsOf } from '../support/cpuMs.ts'

/** What is wrong with a query, with the part of the text that it points at. */
const faultsOf = (text: string): (readonly [string, string])[] => parseQuery(text).faults.map(({ start, end, message }) => [text.slice(start, end), message] as const)

function stageOf(text: string, index = 0) {
  const { stages, faults } = parseQuery(text)
  expect(faults, text).toEqual([])
  const stage = stages[index]
  if (!stage) throw new Error(`${text} has no stage ${index}`)
  return stage
}

describe('commands', () => {
  test('are found without regard to case', () => {
    expect(stageOf('RANGE 3').command.name).toBe('range')
    expect(stageOf('range 1 || GroupBY n', 1).command.name).toBe('groupBy')
  })

  test('that are unknown have a place and a hint', () => {
    expect(parseQuery('range 3 || limt 1').faults).toEqual([{ start: 11, end: 15, message: 'there is no command limt', expected: 'a command', hint: 'limit' }])
    expect(parseQuery('zzzzzzzz').faults).toEqual([{ start: 0, end: 8, message: 'there is no command zzzzzzzz', expected: 'a command' }])
  })

  test.for(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('%s is none, whatever objects inherit', (name) => {
    expect(faultsOf(name)).toEqual([[name, `there is no command ${name}`]])
  })

  test('must begin each stage', () => {
    expect(faultsOf('"range" 3')).toEqual([['"range"', 'a stage must begin with a command']])
    expect(faultsOf('range 3 || --cache false')).toEqual([['--cache', 'a stage must begin with a command']])
  })

  test.for([
    ['', ''], ['  \n', ' '], ['/* only */', '/'], ['|| range 3', '||'], ['/* x */ || range 3', '||'], ['range 3 ||', '||'], ['range 3 || /* x */', '||'],
  ] as const)('are missing in %j', ([text, where]) => {
    expect(faultsOf(text)).toEqual([[where, 'a stage is empty']])
  })

  test('are missing in each empty stage', () => {
    expect(parseQuery('range 3 || || || limit 1').faults.map(({ start }) => start)).toEqual([8, 11])
  })
})

describe('arguments', () => {
  test('that are missing are told at the command', () => {
    expect(parseQuery('  limit').faults).toEqual([{ start: 2, end: 7, message: 'limit needs count', expected: 'integer: How many rows to keep' }])
    expect(faultsOf('range 3 || table')).toEqual([['table', 'table needs columns']])
    expect(faultsOf('join')).toEqual([['join', 'join needs stage'], ['join', 'join needs column']])
  })

  test('that are too many are told one by one', () => {
    expect(faultsOf('range 5 || limit 1 2 "3"')).toEqual([['2', 'limit takes 1 argument'], ['"3"', 'limit takes 1 argument']])
  })

  test.for(['x', '1.5', '-1', '""', 'true', 'null', '1e3', '99999999999999999999', '٣'])('of %s is not a whole number', (word) => {
    expect(faultsOf(`range 5 || limit ${word}`)).toEqual([[word, 'must be a whole number of at least 0']])
  })

  test('may stand before, between and behind flags', () => {
    const { args, flags } = stageOf('range --cache false 1 --guid 5 --labelStage x 2')
    expect(args).toEqual({ from: 1, to: 5, step: 2 })
    expect(flags).toMatchObject({ cache: false, guid: true, labelStage: 'x' })
  })

  test.for([
    ['5', 5], ['-5', -5], ['1.5', 1.5], ['1e3', 1000], ['true', true], ['false', false], ['null', null], ['True', 'True'], ['007', '007'], ['+5', '+5'], ['.5', '.5'], ['1e999', '1e999'], ['0x10', '0x10'],
    ["'5'", '5'], ['"true"', 'true'], ['```null```', 'null'], ['""', ''], ['$$5', '$5'], ['a=b', 'a=b'],
  ] as const)('%s has the type of what is written', async ([written, value]) => {
    expect(await rowsOf(`addcolumn a ${written}`)).toEqual([{ a: value }])
  })

  test('of JSON are read leniently, and shown as one', () => {
    expect(stageOf("seed '[{a: 1, /* c */ b: [true, null,],},]'").shownArgs).toEqual([[{ a: 1, b: [true, null] }]])
    expect(stageOf('range 1 || table a b', 1).shownArgs).toEqual(['a', 'b'])
  })

  test.for([
    ["seed '{'", 'is not JSON: invalid end of input'], ["seed '{a: NaN}'", 'holds a number that JSON cannot hold'], ["seed '[1e999]'", 'holds a number that JSON cannot hold'],
    ["seed '{a: \"$b.$\"}'", 'holds a token that cannot be filled'],
  ] as const)('%s is refused', ([text, message]) => {
    expect(faultsOf(text)).toEqual([[text.slice(5), expect.stringContaining(message)]])
  })

  test('of JSON are nested up to a bound', () => {
    const nested = (depth: number): string => `seed '${'['.repeat(depth)}${']'.repeat(depth)}'`
    expect(faultsOf(nested(64))).toEqual([])
    for (const depth of [65, 100_000]) expect(faultsOf(nested(depth)).map(([, message]) => message)).toEqual(['is nested deeper than 64 levels'])
  })

  test('of lenient JSON may hold every line separator, and nothing is printed of it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const written = "{\u2028a: 'x\u2028y', /* \u2029 ' */ b: '\\\\\u2029', c: '\\\u2028z'}"
    expect(await rowsOf(`seed \`\`\`${written}\`\`\``)).toEqual([{ a: 'x\u2028y', b: '\\\u2029', c: 'z' }])
    expect(faultsOf(`seed \`\`\`${written.slice(0, 10)}\`\`\``)).toHaveLength(1)
    expect(warn).not.toHaveBeenCalled()
    warn.mockRestore()
  })
})

describe('flags', () => {
  test('that are unknown have a place and a hint', () => {
    expect(parseQuery('range 3 --cahce false').faults).toEqual([{ start: 8, end: 15, message: 'range has no flag --cahce', expected: expect.stringContaining('--labelStage'), hint: '--cache' }])
    expect(faultsOf('range 3 --constructor x --__proto__ y')).toEqual([['--constructor', 'range has no flag --constructor'], ['--__proto__', 'range has no flag --__proto__']])
  })

  test('are matched without regard to case', () => {
    expect(stageOf('range 3 --LABELSTAGE a --Cache false').flags).toMatchObject({ labelStage: 'a', cache: false })
    expect(faultsOf('range 3 --cache false --CACHE true')).toEqual([['--CACHE', '--cache is given twice']])
  })

  test('take no second time unless they are repeatable', () => {
    expect(faultsOf('range 3 --guid --guid')).toEqual([['--guid', '--guid is given twice']])
    expect(faultsOf('range 3 --labelStage a --labelStage b --labelStage c').map(([, message]) => message)).toEqual(['--labelStage is given twice', '--labelStage is given twice'])
    expect(stageOf('form https://a.example --set a=1 --set b=2 --SET c=3 --submit x').shownFlags).toEqual({ set: ['a=1', 'b=2', 'c=3'], submit: 'x' })
    expect(stageOf('open https://a.example').flags['wait']).toEqual([])
  })

  test('that are boolean stand alone, or with true or false', () => {
    for (const [text, guid, from] of [['range 3 --guid', true, 3], ['range --guid 3', true, 3], ['range 3 --guid true', true, 3], ['range 3 --guid false', false, 3], ['range 3 --guid=false', false, 3], ['range --guid "3"', true, 3]] as const) {
      const { args, flags } = stageOf(text)
      expect({ text, guid: flags['guid'], from: args['from'] }).toEqual({ text, guid, from })
    }
    expect(stageOf('range 3').flags['guid']).toBe(false)
    expect(stageOf('range 3 --cache false').flags['guid']).toBe(false)
    expect(faultsOf('range 3 --guid=maybe')).toEqual([['maybe', 'must be true or false']])
  })

  test('take values in every way of writing', () => {
    for (const written of ['--labelStage "a b"', "--labelStage 'a b'", '--labelStage="a b"', '--labelStage ```a b```', '--labelStage /* c */ "a b"']) expect(stageOf(`range 3 ${written}`).flags['labelStage']).toBe('a b')
    expect(stageOf('range 3 --labelStage=a=b').flags['labelStage']).toBe('a=b')
    expect(stageOf('range 3 || sum n --by=', 1).flags['by']).toBe('')
  })

  test('without their value, or with a wrong one, are faults', () => {
    expect(faultsOf('range 3 --labelStage')).toEqual([['--labelStage', '--labelStage needs a value']])
    expect(faultsOf('range 3 --labelStage --guid')).toEqual([['--labelStage', '--labelStage needs a value']])
    expect(faultsOf('range 3 --retry 3')).toEqual([['3', 'must be a whole number from 0 to 2']])
    expect(parseQuery('range 3 --onError skp').faults).toEqual([{ start: 18, end: 21, message: 'must be one of fail, skip, keep', expected: 'fail, skip, keep', hint: 'skip' }])
    expect(faultsOf('form https://a.example')).toEqual([['form', 'form needs --submit']])
  })

  test('of the browser are checked where they stand', () => {
    expect(parseQuery('open http://a.example --device "Pixel 55"').faults).toMatchObject([{ message: 'must be Desktop or the name of a device, which Pixel 55 is not', hint: 'Pixel 5' }])
    for (const wrong of ['soon', '0', '-1', '1.5', '2147483648']) expect(faultsOf(`open http://a.example --polling ${wrong}`)).toEqual([[wrong, expect.stringContaining('raf, mutation')]])
    for (const right of ['--polling raf', '--polling 50', '--device "Pixel 5 landscape"', '--quality 50.5', '--viewportWidth 800.5']) expect(faultsOf(`open http://a.example ${right}`)).toEqual([])
    expect(faultsOf('open http://a.example --quality 0.5 --viewportHeight 10001')).toHaveLength(2)
    expect(faultsOf('open http://a.example --headers 5 --localStorage [] --args {}')).toEqual([['5', 'must be an object'], ['[]', 'must be an object'], ['{}', 'must be a list of at most 100 items']])
    expect(faultsOf(`evaluate "1" --args [${'1,'.repeat(101)}]`)).toHaveLength(1)
  })

  test('of time are as long as a timer can wait', () => {
    expect(faultsOf('range 3 --timeout 2147483647')).toEqual([])
    expect(faultsOf('range 3 --timeout 2147483648')).toEqual([['2147483648', 'must be a whole number from 1 to 2147483647']])
  })

  test('with open names keep what stands behind the dot', () => {
    expect(stageOf('runTemplate x --Template.Shop a --template.__proto__ 5').shownFlags).toEqual(Object.fromEntries([['template.Shop', 'a'], ['template.__proto__', 5]]))
    expect(faultsOf('runTemplate x --template.a 1 --template.a 2')).toEqual([['--template.a', '--template.a is given twice']])
    expect(faultsOf('runTemplate x --template. 1')).toEqual([['--template.', 'runTemplate has no flag --template.']])
    expect(faultsOf('runTemplate x --templat.a 1')).toHaveLength(1)
  })
})

describe('labels and references', () => {
  test.for([
    'range 1 --labelStage a || range 2 || append a',
    'range 1 || range 2 || append 0',
    'range 1 || range 2 --appendStage true',
    'range 1 || range 2 --appendStage 0',
    "range 1 --labelStage 'my stage' || join 'my stage' n",
  ])('%s is right', (text) => {
    expect(faultsOf(text)).toEqual([])
  })

  test.for([
    ['range 1 --labelStage first || append firts', 'firts', 'there is no earlier stage firts'],
    ['range 1 || append 1', '1', 'there is no earlier stage 1'],
    ['range 1 || append -1', '-1', 'there is no earlier stage -1'],
    ['range 1 || append true', 'true', 'there is no earlier stage true'],
    ['append a --labelStage a', 'a', 'there is no earlier stage a'],
    ['append later || range 1 --labelStage later', 'later', 'there is no earlier stage later'],
    ['range 1 --appendStage true', 'true', 'there is no earlier stage true'],
    ['range 1 --labelStage a || range 1 --labelStage "a"', '"a"', 'two stages are labelled a'],
  ] as const)('%s is wrong', ([text, where, message]) => {
    expect(faultsOf(text)).toEqual([[where, message]])
  })

  test('say which stages there are', () => {
    expect(parseQuery('range 1 --labelStage first || append firts').faults[0]).toMatchObject({ expected: 'first, 0', hint: 'first' })
    expect(parseQuery('append x').faults[0]).toMatchObject({ expected: 'none, because this is the first stage' })
  })

  test('are checked also beside an unknown command', () => {
    expect(faultsOf('rang 1 --labelStage a || range 1 || append a || append 1 || append b')).toEqual([['rang', 'there is no command rang'], ['b', 'there is no earlier stage b']])
  })
})

describe('names of stages and checkpoints', () => {
  test.for([
    ['range 1 --labelStage ""', '""', 'must have 1 to 1000 characters'],
    ['range 1 --labelStage=', '', 'must have 1 to 1000 characters'],
    ['range 1 --checkpoint n', 'n', 'must be "<name>:<column>"'],
    ['range 1 --checkpoint "a:"', '"a:"', 'must be "<name>:<column>"'],
    ['range 1 --checkpoint ":n"', '":n"', 'the name before the colon must have 1 to 1000 characters'],
  ] as const)('%s is wrong', ([text, where, message]) => {
    expect(faultsOf(text)).toEqual([[where, expect.stringContaining(message)]])
  })

  test('hold colons in the column only', () => {
    expect(stageOf('range 1 --checkpoint "since:s:date"').flags['checkpoint']).toBe('since:s:date')
  })
})

describe('tokens that come too late', () => {
  const unplanned = 'must be known before the query runs, and $n$ is not'
  const inRow = 'is needed before the first row, and $n$ is known only in a row'

  test.for([
    ['range 2 --labelStage "x$n$"', unplanned], ['range 2 --labelStage a || append "$n$"', unplanned], ['range 2 || head 1 --appendStage "$n$"', unplanned],
    ['range 2 --checkpoint "$n$:n"', unplanned], ['range 2 --cache=$n$', unplanned], ['range 2 || table n --table $n$', unplanned],
    ['range 2 || api get http://a.example --onError $n$', unplanned], ['range 2 || api get http://a.example --timeout $n$', unplanned],
    ['range 2 || api get http://a.example --credentials.oauth $n$', unplanned], ['runTemplate $n$', unplanned],
    ['range 2 || head $n$', inRow], ['range 2 || freeze "file $n$"', inRow], ['range 2 || rename n $n$', inRow], ['range 2 || sort $n$', inRow],
  ] as const)('%s is refused at the token', ([text, message]) => {
    expect(faultsOf(text)).toEqual([['$n$', message]])
  })

  test.for([
    'range 2 || freeze "file $TIMESTAMP$"', 'range $template.count$', 'range 2 || sort $CHECKPOINTS.by$',
    "seed '{m: \"get\", d: \"Desktop\"}' || api $m$ http://a.example || open http://a.example --device $d$",
  ])('%s is right', (text) => {
    expect(faultsOf(text)).toEqual([])
  })

  test('are no longer late where a template has their values', () => {
    const text = 'range 1 --labelStage "$template.a$" || append "$template.a$" || append "$template.b$"'
    const known = (token: string) => ({ 'template.a': 'one', 'template.b': 'two' })[token]
    expect(parseQuery(text, known).faults).toMatchObject([{ message: 'there is no earlier stage two' }])
  })
})

describe('faults', () => {
  test('are told all at once, in the order of the text', () => {
    const text = "rang 1\n|| limit x --bogus 1\n|| filter \"a ==\" --guid --guid\n|| table\n|| append zz\n|| seed '{"
    expect(faultsOf(text)).toEqual([
      ['rang', 'there is no command rang'],
      ['x', 'must be a whole number of at least 0'],
      ['--bogus', 'limit has no flag --bogus'],
      ['"', 'the expression ends too early'],
      ['--guid', '--guid is given twice'],
      ['table', 'table needs columns'],
      ['zz', 'there is no earlier stage zz'],
      ["'", 'the quote is not closed'],
      ["'{", expect.stringContaining('is not JSON')],
    ])
  })

  test('are at most a hundred, the first of the text', () => {
    const { faults } = parseQuery(`${'range 3 --bogus ||\n'.repeat(300)}range 'x`)
    expect(faults).toHaveLength(100)
    expect(faults.at(-1)).toMatchObject({ start: 99 * 19 + 8 })
    expect(parseQuery(`"x ${'|| zzzzzzzzz '.repeat(300)}`).faults).toHaveLength(2)
  })

  test('have places in lines and columns, where an emoji is one character', () => {
    const text = 'seed \'[{"😀": 1}]\' /* 😀 */ --bogus 1\n  || addcolumn "😀😀" 5 extra'
    const places = new Places(text)
    expect(parseQuery(text).faults.map(({ start, end }) => places.of(start, end))).toEqual([{ line: 1, column: 27, length: 7 }, { line: 2, column: 23, length: 5 }])
  })

  test.for([
    ['filter "a == \'x\' b"', 'b'],
    ["filter 'a == \\'x\\' b'", 'b'],
    ['filter "a == \\"x\\\\\\"\\" b"', 'b'],
    ['filter ```a b```', 'b'],
    ['filter ```expr\na\n  b\n```', 'b'],
    ['filter a==', ''],
    ["addcolumn x 'it\\'s $b.$'", '$b.$'],
    ['addcolumn x ```text\n$b.$```', '$b.$'],
    ["filter 'a =~ \\'(\\''", "'(\\'"],
  ] as const)('in %j point at %j, whatever is escaped before', ([text, where]) => {
    expect(faultsOf(text).map(([found]) => found)).toEqual([where])
  })

  test('quote no more than the beginning of a long name', () => {
    for (const text of ['x'.repeat(10_000), `range 1 --${'x'.repeat(10_000)}`, `append ${'x'.repeat(10_000)}`, `filter ${'x'.repeat(10_000)}()`]) expect(parseQuery(text).faults[0]?.message.length).toBeLessThan(200)
  })
})

describe('data', () => {
  const value = '1 || freeze x --cache false "a" \'b\' $a$ /* $$ `'

  test('never becomes syntax', async () => {
    const seed = `seed \`\`\`${JSON.stringify([{ a: value.replaceAll('$', '$$$$') }])}\`\`\``
    expect(await rowsOf(`${seed} || addcolumn b $a$`)).toEqual([{ a: value, b: value }])
    expect(await rowsOf(`${seed} || addcolumn b "<$a$>"`)).toEqual([{ a: value, b: `<${value}>` }])
    expect(await rowsOf(`${seed} || filter "a == '$a$' and '$a$x' != a"`)).toEqual([{ a: value }])
  })

  test('keeps its type where a value is exactly one token', async () => {
    for (const written of ['$n$', '"$n$"', "'$n$'", '```$n$```']) expect(await rowsOf(`range 1 || addcolumn m ${written}`)).toEqual([{ n: 0, m: 0 }])
    expect(await rowsOf('range 1 || addcolumn m "$n$ "')).toEqual([{ n: 0, m: '0 ' }])
  })

  test('never takes the place of the names that the language has for itself', async () => {
    const seed = 'seed \'{"TIMESTAMP": 1, "TIMESTAMP.ISO": 2, "ROW": 3, "CHECKPOINTS.a": 4, "PROMPTS.a": 5, "CREDENTIALS.a": 6, "template.a": 7, "ROWS": 8}\''
    const tokens = ['TIMESTAMP', 'TIMESTAMP.ISO', 'ROW', 'CHECKPOINTS.a', 'PROMPTS.a', 'CREDENTIALS.a', 'template.a', 'ROWS']
    const [row] = await rowsOf(`${seed} || ${tokens.map((token, index) => `addcolumn v${index} $${token}$`).join(' || ')}`)
    expect(tokens.map((_, index) => row?.[`v${index}`])).toEqual([expect.any(Number), expect.stringContaining('T'), expect.stringContaining('{'), null, null, null, null, 8])
    expect(row?.['v0']).not.toBe(1)
  })

  test('of columns named like members of the prototype is data too', async () => {
    const [row] = await rowsOf("seed '{\"__proto__\": 1, \"constructor\": 2}' || filter \"__proto__ == 1 and constructor == 2\" || addcolumn sum '$__proto__$$constructor$'")
    expect(Object.entries(row ?? {})).toEqual([['__proto__', 1], ['constructor', 2], ['sum', '12']])
  })
})

test('patterns that are too large together are refused before they take long', async () => {
  const text = `range 1 || ${Array.from({ length: 2_000 }, (_, n) => `filter "n =~ '(a${n}){900}'"`).join(' || ')}`
  expect(await cpuMsOf(() => expect(parseQuery(text).faults[0]?.message).toContain('too large together'))).toBeLessThan(3_000)
  expect(parseQuery(`range 1 || filter "n =~ '(b){900}'"`).faults).toEqual([])
})
