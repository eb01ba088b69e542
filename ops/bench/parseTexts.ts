const chars = 1_048_576

/** A text of 1 MiB: a part over and over between a beginning and an end. */
function repeated(part: string, begin = '', end = ''): string {
  return begin + part.repeat(Math.floor((chars - begin.length - end.length) / part.length)) + end
}

/** Parts with a number each, one behind the other. */
function numbered(count: number, part: (number: number) => string): string {
  return Array.from({ length: count }, (_, number) => part(number)).join('')
}

/** Texts of 1 MiB that are each the worst of their kind. */
export const parseTexts: Readonly<Record<string, string>> = {
  'one quoted value': repeated('x', "addcolumn a '", "'"),
  'escapes': repeated("\\'", "addcolumn a '", "'"),
  'tiny stages': repeated('count||', '', 'count'),
  'stages with flags': repeated('range 1 --guid --cache false || ', '', 'count'),
  'flags': repeated('--set a=1 ', 'form https://a.example --submit x '),
  'words': repeated('a ', 'table '),
  'tokens': repeated('$a$ ', "addcolumn a '", "'"),
  'an expression': repeated('n == 1 or ', 'filter "', 'n == 2"'),
  'JSON': repeated('{"a":1,"b":"x"},', "seed '[", "{}]'"),
  'lenient JSON': repeated('{a:1,b:"x"},', "seed '[", "{}]'"),
  'unknown commands': repeated('limt 1||', '', 'count'),
  'wrong arguments': repeated('limit x||', '', 'count'),
  'unknown flags': repeated('--x ', 'range 1 '),
  'values of a template': `runTemplate a ${numbered(50_000, (number) => `--template.a${number} 1 `)}`,
  'escaped tokens': repeated("$a$\\'", "addcolumn a '", "'"),
  'columns of --table': repeated('a ', 'range 1 --table "', '"'),
  'JSON in --table': repeated('{"a":1},', "range 1 --table '[", "{}]'"),
  'tokens in JSON': repeated('{a:"$a$ b"},', "seed '[", "{}]'"),
  'a pattern': repeated('a', "replace a '", "' b --regex"),
  'a replacement': repeated('$1 ', "replace a '(a)' '", "' --regex"),
  'conditions of case': repeated("'n < 2' small ", 'case size '),
  'aggregates': repeated('sum(a) ', 'stats '),
  'a plan of tiny stages': repeated('count                   ||', '', 'count'),
  'a plan with flags': repeated('open https://a.example --html --visible || ', '', 'count'),
}
