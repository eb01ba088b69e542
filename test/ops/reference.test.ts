import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { referencePages } from '../../ops/reference/pages.ts'

describe('the reference pages', () => {
  test.for(Object.entries(referencePages()))('%s says what the tables say (otherwise run: npm run reference)', ([name, text]) => {
    expect(readFileSync(new URL(`../../ops/docs/reference/${name}`, import.meta.url), 'utf8')).toBe(text)
  })
})
