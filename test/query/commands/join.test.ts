import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { faultsOf, seedRows } from '../../support/seedRows.ts'

const people = [{ id: 1, name: 'Ada' }, { id: 2, name: 'Bob' }, { id: 1, name: 'Ann' }, { id: null, name: 'Nil' }]
const visits = [{ id: 2, at: 'x' }, { id: 1, at: 'y' }, { id: 3, at: 'z' }, { id: null, at: 'n' }]

const joined = (command: string, left: readonly unknown[] = visits, right: readonly unknown[] = people) =>
  rowsOf(`${seedRows(right)} --labelStage people || ${seedRows(left)} || ${command}`)

describe('join', () => {
  test('keeps rows with a partner, one row a partner, in the order of both', async () => {
    expect(await joined('join people id')).toEqual([{ id: 2, at: 'x', name: 'Bob' }, { id: 1, at: 'y', name: 'Ada' }, { id: 1, at: 'y', name: 'Ann' }])
  })

  test('left keeps also rows without a partner', async () => {
    expect(await joined('join people id --type left')).toEqual([
      { id: 2, at: 'x', name: 'Bob' },
      { id: 1, at: 'y', name: 'Ada' },
      { id: 1, at: 'y', name: 'Ann' },
      { id: 3, at: 'z' },
      { id: null, at: 'n' },
    ])
  })

  test('anti keeps only rows without a partner, unchanged; null has none', async () => {
    expect(await joined('join people id --type anti')).toEqual([{ id: 3, at: 'z' }, { id: null, at: 'n' }])
  })

  test('takes another name of the column in the other stage, and shows the key once', async () => {
    expect(await joined('join people who id', [{ who: 2 }])).toEqual([{ who: 2, name: 'Bob' }])
  })

  test('puts the name of the stage before names that clash, in all rows alike', async () => {
    const left = [{ id: 1 }, { id: 2, name: 'mine' }]
    expect(await joined('join people id', left)).toEqual([{ id: 1, 'people.name': 'Ada' }, { id: 1, 'people.name': 'Ann' }, { id: 2, name: 'mine', 'people.name': 'Bob' }])
    expect(await joined('join people who id', [{ who: 1, id: 7 }], [{ id: 1, who: 5 }])).toEqual([{ who: 1, id: 7, 'people.who': 5 }])
  })

  test('loses no column where the prefixed name is taken too', async () => {
    expect(await joined('join people id', [{ id: 1, v: 1, 'people.v': 2 }], [{ id: 1, v: 3 }])).toEqual([{ id: 1, v: 1, 'people.v': 2, 'people.people.v': 3 }])
  })

  test('takes numeric text for equal to a number, but not to another text', async () => {
    const right = [{ k: 1, r: 'number' }, { k: '1', r: 'text' }, { k: '1.0', r: 'long' }, { k: 1, r: 'again' }]
    expect((await joined('join people k', [{ k: 1 }], right)).map(({ r }) => r)).toEqual(['number', 'text', 'long', 'again'])
    expect((await joined('join people k', [{ k: '1' }], right)).map(({ r }) => r)).toEqual(['number', 'text', 'again'])
    expect(await joined('join people k', [{ k: true }, { k: 'x' }], right)).toEqual([])
  })

  test('takes the number of a stage, whose clashing names it then precedes', async () => {
    expect(await joined('join 0 id', [{ id: 2, name: 'mine' }])).toEqual([{ id: 2, name: 'mine', '0.name': 'Bob' }])
  })

  test('joins a stage with one behind it', async () => {
    expect(await rowsOf('range 5000 --labelStage all || filter "n > 4997" || join all n')).toEqual([{ n: 4998 }, { n: 4999 }])
  })

  test('takes names of the prototype for columns', async () => {
    expect(await rowsOf('seed \'[{"__proto__": 1, "toString": 2}]\' --labelStage p || seed \'[{"__proto__": 1, "v": 3}]\' || join p __proto__ || table v toString')).toEqual([{ v: 3, toString: 2 }])
    expect(await joined('join people constructor', [{ a: 1 }])).toEqual([])
  })

  test('refuses a stage that is not there', () => {
    expect(faultsOf('range 3 --labelStage numbers || join number n')).toMatchObject([{ at: 'number', hint: 'numbers' }])
  })
})
