import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import puppeteer, { type Browser } from 'puppeteer'
import { Problem } from '../../src/platform/errors.ts'
import { findBinary, mayRun, type Binary } from './binary.ts'
import { browserFlags } from './flags.ts'
import { markArgument, ownMark } from './mark.ts'
import { killGroup } from './processes.ts'
import { settledWithin } from './race.ts'
import { makeScratch, type Account, type Scratch } from './scratch.ts'

/** How browsers are started. */
export interface LaunchOptions {
  /** The program; unset finds one. */
  readonly chromePath?: string | undefined
  /** Prefers a whole browser to the headless shell. */
  readonly whole?: boolean
  /** Where browsers keep their folders. */
  readonly scratchDir?: string | undefined
  /** Runs Chromium without its sandbox: never by default. */
  readonly noSandbox?: boolean
  readonly launchTimeoutMs?: number
  /** Memory that each of its processes may ask for; more is refused to the page, or ends its tab. */
  readonly processBytes?: number | undefined
}

/** A browser that runs, in a process group and folders of its own. */
export interface RunningBrowser {
  readonly browser: Browser
  readonly pid: number
  readonly version: string
  readonly binary: Binary
  readonly sandbox: boolean
  readonly dir: string
  /** Ends it: by asking, then by force; its folders are gone afterwards. */
  close(): Promise<void>
  /** Ends it by force, at once. */
  kill(): void
}

/** Where browsers keep their folders unless told otherwise. */
export const usualScratchDir = join(tmpdir(), 'quern-browsers')

/** Nobody: owns nothing, and is in no group. */
const nobody: Account = { uid: 65_534, gid: 65_534 }
const setpriv = '/usr/bin/setpriv'
const prlimit = '/usr/bin/prlimit'

/** Starts a browser; a failure is the problem `unavailable`, and leaves nothing behind. */
export async function launchBrowser(options: LaunchOptions = {}): Promise<RunningBrowser> {
  const binary = await findBinary(options.chromePath, options.whole)
  const sandbox = options.noSandbox !== true
  const account = accountFor(sandbox)
  const mark = await ownMark()
  const scratch = await makeScratch(rootFor(binary, options.scratchDir ?? usualScratchDir), mark, account)
  try {
    const flags = [...browserFlags(binary.shell, scratch.profile, sandbox), `${markArgument}${mark}`, 'about:blank']
    const browser = await start(await commandLine(binary.path, account, options.processBytes), flags, scratch, options.launchTimeoutMs ?? 20_000)
    return await describe(browser, binary, sandbox, scratch)
  } catch (cause) {
    await scratch.remove()
    if (cause instanceof Problem) throw cause
    throw new Problem('unavailable', `The browser ${binary.path} could not be started: ${firstLines(cause)}`, { cause })
  }
}

/** Who a browser runs as; null for our own user. As root the sandbox does not work, and without one a page would be root. */
export const accountFor = (sandbox: boolean): Account | null => (process.getuid?.() === 0 && sandbox ? nobody : null)

/** A whole browser opens a socket deep in its temp folder, and ends at once where the path of it has more characters than a socket's can have. */
const rootFor = ({ shell }: Binary, asked: string): string => (shell || asked.length <= longestRoot ? asked : usualScratchDir)

const longestRoot = 20

/** The program with the words before its own arguments: bounds first, then the rights that are taken away. */
async function commandLine(path: string, account: Account | null, bytes: number | undefined): Promise<[string, ...string[]]> {
  const [program, ...words] = [...(await bounding(bytes)), ...(account ? await disowning(account) : []), path]
  return [program, ...words]
}

/** By itself Chromium lets every tab have 16 GiB, which is the bound where prlimit is missing. */
const bounding = async (bytes: number | undefined): Promise<string[]> =>
  bytes !== undefined && (await mayRun(prlimit)) ? [prlimit, `--data=${Math.ceil(bytes)}`] : []

/** setpriv takes all rights away, and ties the browser's life to ours. */
async function disowning({ uid, gid }: Account): Promise<string[]> {
  if (!(await mayRun(setpriv))) {
    throw new Problem('unavailable', `Browsers never run as root, and ${setpriv} is missing. Install util-linux, or use another user.`)
  }
  return [setpriv, '--reuid', String(uid), '--regid', String(gid), '--clear-groups', '--pdeathsig', 'KILL', '--']
}

async function start([program, ...words]: [string, ...string[]], flags: string[], scratch: Scratch, timeoutMs: number): Promise<Browser> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(`it did not answer within ${timeoutMs} ms`), timeoutMs)
  const launching = puppeteer.launch({
    executablePath: program,
    args: [...words, ...flags],
    ignoreDefaultArgs: true,
    pipe: true,
    // Nothing of our own environment, which holds keys.
    env: { HOME: scratch.home, TMPDIR: scratch.temp, XDG_CACHE_HOME: scratch.temp, PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    defaultViewport: null,
    issuesEnabled: false,
    waitForInitialPage: false,
    signal: late.signal,
  })
  return launching.finally(() => clearTimeout(timer))
}

async function describe(browser: Browser, binary: Binary, sandbox: boolean, scratch: Scratch): Promise<RunningBrowser> {
  const child = browser.process()
  const pid = child?.pid ?? 0
  const kill = (): void => void killGroup(pid)
  boundMessages(child?.stdio[4], kill)
  const exited = new Promise<void>((done) => (child?.exitCode === null && child.signalCode === null ? child.once('exit', () => done()) : done()))
  const close = async (): Promise<void> => {
    await settledWithin(closeBoundMs, browser.close())
    kill()
    await settledWithin(closeBoundMs, exited)
    await scratch.remove()
  }
  try {
    const [version] = await Promise.all([browser.version(), scratch.noteGroup(pid)])
    return { browser, pid, version, binary, sandbox, dir: scratch.dir, close, kill }
  } catch (error) {
    await close()
    throw error
  }
}

/** Ends a browser that sends a message beyond all bounds: a page can log or throw more than a string of ours can hold. */
function boundMessages(answers: unknown, kill: () => void): void {
  if (!(answers instanceof Readable)) return
  let bytes = 0
  answers.on('data', (part: Buffer) => {
    const end = part.lastIndexOf(0)
    bytes = end === -1 ? bytes + part.length : part.length - end - 1
    if (bytes > mostMessageBytes) kill()
  })
}

/** Above the largest picture that is taken. */
const mostMessageBytes = 256 * 2 ** 20

/** How long a browser may take to end by itself. */
const closeBoundMs = 2_000

const firstLines = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).split('\n').slice(0, 5).join(' ').slice(0, 500)
