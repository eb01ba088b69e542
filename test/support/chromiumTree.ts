import { pause } from '../../src/platform/clock.ts'
import { markArgument, ownMark } from '../../workers/browser/mark.ts'
import { listProcesses, readArguments, readOwnBytes, type ProcessFacts } from '../../workers/browser/processes.ts'

/** Every process of every browser that this process has started. */
export async function chromiumTree(): Promise<ProcessFacts[]> {
  const [all, mark] = [listProcesses(), await ownMark()]
  const leaders = all.filter(({ pid, group }) => pid === group)
  const own = await Promise.all(leaders.map(async ({ pid }) => ((await readArguments(pid)).includes(`${markArgument}${mark}`) ? [pid] : [])))
  const groups = new Set(own.flat())
  return all.filter(({ group }) => groups.has(group))
}

/** The memory that those processes share with no other. */
export const chromiumBytes = async (): Promise<number> => (await chromiumTree()).reduce((sum, { pid }) => sum + readOwnBytes(pid), 0)

/** Looks at that memory until it is told to stop; answers the most that it saw. */
export function watchChromium(everyMs = 100): () => Promise<number> {
  let most = 0
  const ended = new AbortController()
  const looking = (async () => {
    while (!ended.signal.aborted) {
      most = Math.max(most, await chromiumBytes())
      await pause(everyMs, ended.signal)
    }
  })()
  return async () => {
    ended.abort()
    await looking
    return most
  }
}
