import { startBuilt, type BuiltProcess } from '../../support/builtProcess.ts'

/** Where a process of one type runs; another one can take its place when it has ended. */
export class Place {
  readonly #script: string
  readonly #settings: Readonly<Record<string, string>>
  readonly #readyText: string
  readonly #processes: BuiltProcess[] = []
  #hasEnded = false

  constructor(script: string, settings: Readonly<Record<string, string>>, readyText: string) {
    this.#script = script
    this.#settings = settings
    this.#readyText = readyText
  }

  get process(): BuiltProcess {
    const latest = this.#processes.at(-1)
    if (!latest) throw new Error(`${this.#script} was not started`)
    return latest
  }

  /** Lines with warnings and errors that any process of this place has written, to show where a verdict is bad. */
  get complaints(): string[] {
    return this.#processes.flatMap(({ lines, errorLines }) => [...lines.filter((line) => /"level":"(warn|error|fatal)"/.test(line)), ...errorLines])
  }

  /** Whether the process of the moment has ended, by itself or by us. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  async start(): Promise<void> {
    const started = startBuilt(this.#script, this.#settings)
    this.#processes.push(started)
    this.#hasEnded = false
    void started.exited.then(() => (this.#hasEnded ||= this.process === started))
    await started.says(this.#readyText)
  }

  /** Ends the process as a crash would. */
  async kill(): Promise<void> {
    this.process.signal('SIGKILL')
    await this.process.exited
  }

  /** Ends the process in order; answers its exit code and how long that took. */
  async end(): Promise<{ code: number | string; ms: number }> {
    const startedAt = performance.now()
    this.process.signal('SIGTERM')
    return { code: await this.process.exited, ms: performance.now() - startedAt }
  }
}
