/** This process has enough to do: the job goes back into line, where another one may take it. */
export class NotNow extends Error {
  override readonly name = 'NotNow'
}
