import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isOwnerGone, markArgument } from './mark.ts'
import { killGroup, listProcesses, readArguments } from './processes.ts'
import { groupFile, removeFolder } from './scratch.ts'

/** What a sweep found: groups that it ended, and folders that it removed. */
export interface Swept {
  readonly groups: number
  readonly folders: number
}

/** Ends every browser whose owner is gone, and removes the folders of such browsers below each of `roots`. */
export async function sweep(...roots: readonly string[]): Promise<Swept> {
  const folders = (await Promise.all(roots.map(orphanFolders))).flat()
  const groups = new Set([...(await orphanLeaders()), ...(await leaderlessGroups(folders))])
  for (const group of groups) killGroup(group)
  await Promise.all(folders.map(removeFolder))
  return { groups: groups.size, folders: folders.length }
}

async function orphanFolders(root: string): Promise<string[]> {
  const isOurs = await lstat(root).then(({ uid }) => uid === process.getuid?.(), () => false)
  const names = isOurs ? await readdir(root).catch(() => []) : []
  const gone = await Promise.all(names.map((name) => isOwnerGone(name.split('-')[0] ?? '')))
  return names.filter((_name, index) => gone[index]).map((name) => join(root, name))
}

/** First processes of browsers, which carry the mark. */
async function orphanLeaders(): Promise<number[]> {
  const found = await Promise.all(listProcesses().map(async ({ pid, group }) => {
    const mark = (await readArguments(pid)).find((word) => word.startsWith(markArgument))
    return mark !== undefined && (await isOwnerGone(mark.slice(markArgument.length))) ? [pid === group ? group : 0] : []
  }))
  return found.flat()
}

/** Groups whose first process is gone: the folder knows their number, and a number may have gone to others since. */
async function leaderlessGroups(folders: readonly string[]): Promise<number[]> {
  const noted = await Promise.all(folders.map((dir) => readFile(join(dir, groupFile), 'utf8').then(Number, () => 0)))
  const members = listProcesses().filter(({ group }) => group > 1 && noted.includes(group))
  const found = await Promise.all(members.map(async ({ pid, group }) => ((await isBrowserChild(pid)) ? [group] : [])))
  return found.flat()
}

const isBrowserChild = async (pid: number): Promise<boolean> =>
  / --type=(zygote|renderer|gpu-process|utility)\b/.test((await readArguments(pid)).join(' '))
