/** The milliseconds of processor time that something takes in this process; unlike the clock they do not count what else a busy machine does. */
export async function cpuMsOf(run: () => unknown): Promise<number> {
  const begin = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1_000
}
