/** Says that a process has its hands full: the job goes back into line for a moment, where one that is free can take it. */
export class NotNow extends Error {
  override readonly name = 'NotNow'
  readonly delayMs: number

  constructor(delayMs: number) {
    super('the process has its hands full')
    this.delayMs = delayMs
  }
}
