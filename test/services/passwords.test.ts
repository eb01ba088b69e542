import { describe, expect, test } from 'vitest'
import { hashPassword, isPassword } from '../../src/services/secrets/passwords.ts'

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 9; run += 1) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return times.toSorted((a, b) => a - b)[4] ?? 0
}

describe('passwords', () => {
  test('are compared in full, beyond the 72 bytes that other hashes read', async () => {
    const hash = await hashPassword('x'.repeat(1024))
    await expect(isPassword('x'.repeat(1024), hash)).resolves.toBe(true)
    await expect(isPassword('x'.repeat(1023), hash)).resolves.toBe(false)
    await expect(isPassword(`${'x'.repeat(1023)}y`, hash)).resolves.toBe(false)
  })

  test('of nobody are never right, and take as much work as those of somebody', async () => {
    const hash = await hashPassword('correct horse battery')
    await expect(isPassword('correct horse battery', undefined)).resolves.toBe(false)
    const somebody = await medianMs(() => isPassword('wrong', hash))
    const nobody = await medianMs(() => isPassword('wrong', undefined))
    expect(nobody / somebody).toBeGreaterThan(0.4)
  })
})
