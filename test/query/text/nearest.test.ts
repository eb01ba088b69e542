import { expect, test } from 'vitest'
import { nearest } from '../../../src/query/text/nearest.ts'

const known = ['filter', 'table', 'limit', 'range', 'labelStage', 'sort', 'groupBy']

test.for([
  ['filtr', 'filter'],
  ['filterr', 'filter'],
  ['fitler', 'filter'],
  ['fikter', 'filter'],
  ['LIMT', 'limit'],
  ['labelstaeg', 'labelStage'],
  ['groupby', 'groupBy'],
] as const)('%s means %s', ([name, meant]) => {
  expect(nearest(name, known)).toBe(meant)
})

test.for(['', 'x', 'xyz', 'completely different', 'tab', 'x'.repeat(1_000_000)])('a name that is near to nothing has no hint', (name) => {
  expect(nearest(name, known)).toBeNull()
})

test('the nearest of several is taken, and the first of equals', () => {
  expect(nearest('cat', ['cart', 'cat'])).toBe('cat')
  expect(nearest('cas', ['cap', 'cat'])).toBe('cap')
  expect(nearest('abcdefghi', ['abcdefxyz', 'abcdefgxy'])).toBe('abcdefgxy')
})

test('among very many names only the first thousand are looked at', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `other${index}`)
  expect(nearest('filtr', [...many.slice(1), 'filter'])).toBe('filter')
  expect(nearest('filtr', [...many, 'filter'])).toBeNull()
})
