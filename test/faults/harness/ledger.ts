import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** What was accepted: each id is on disk before anything else is done with it. */
export class Ledger {
  readonly #path: string
  readonly #file: number

  constructor(dir: string) {
    this.#path = join(dir, 'accepted')
    this.#file = openSync(this.#path, 'a')
    onTestFinished(() => closeSync(this.#file))
  }

  /** Notes that a task was accepted as the query of this id. */
  note(task: string, id: string): void {
    writeSync(this.#file, `${task} ${id}\n`)
    fsyncSync(this.#file)
  }

  /** Every accepted task with all ids that it was ever given. */
  read(): Map<string, Set<string>> {
    const accepted = new Map<string, Set<string>>()
    for (const line of readFileSync(this.#path, 'utf8').split('\n').filter(Boolean)) {
      const [task = '', id = ''] = line.split(' ')
      accepted.set(task, (accepted.get(task) ?? new Set()).add(id))
    }
    return accepted
  }
}
