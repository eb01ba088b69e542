import { onTestFinished } from 'vitest'
import { openObserver, type Observer } from '../../ops/bench/observer.ts'

/** Starts a target that ends with the test. */
export async function observe(): Promise<Observer> {
  const observer = await openObserver()
  onTestFinished(() => observer.close())
  return observer
}
