import type { Dispatcher } from 'undici'
import { Problem } from '../errors.ts'
import type { Answer } from './answer.ts'
import { shown } from './failures.ts'
import type { EgressGuard } from './guard.ts'
import { dispatch } from './hop.ts'
import type { PacReply } from './pacProgram.ts'
import { PacThread } from './pacThread.ts'
import { Recent } from './recent.ts'
import { followRedirects, type Step } from './redirects.ts'

const mostBytes = 1_048_576
const mostFiles = 8
const keptMs = 300_000
const longestFetchMs = 20_000
const mostNames = 50
/** A file may ask for names one after the other, and runs again for each. */
const mostRounds = 10

interface PacFile {
  readonly loadedAt: number
  readonly text: Promise<string>
  /** What it has asked for of late. */
  names: Record<string, string | null>
}

/** Files that say which proxy an address needs: fetched through the guard, kept for five minutes, and run in QuickJS only. */
export class PacFiles {
  readonly #guard: EgressGuard
  readonly #dispatcher: Dispatcher
  readonly #thread = new PacThread()
  readonly #files = new Recent<PacFile>(mostFiles, () => undefined)

  constructor(guard: EgressGuard, dispatcher: Dispatcher) {
    this.#guard = guard
    this.#dispatcher = dispatcher
  }

  /** What the file at `address` answers for a target, such as `PROXY a:8080; DIRECT`. */
  async ask(address: string, target: URL, signal: AbortSignal): Promise<string> {
    const file = this.#file(address)
    const source = await orAborted(file.text, signal)
    if (Object.keys(file.names).length > mostNames) file.names = {}
    const { names } = file
    // As browsers do, a file is not told what is asked of a server over TLS.
    const url = target.protocol === 'https:' ? `${target.origin}/` : `${target.origin}${target.pathname}${target.search}`
    const job = { file: `${file.loadedAt} ${address}`, url, host: target.hostname, names }
    for (let round = 0; round < mostRounds; round += 1) {
      const reply: PacReply = await orAborted(this.#thread.ask(job, source), signal)
      if ('answer' in reply) return reply.answer || 'DIRECT'
      if ('error' in reply) throw new Problem('target_failed', `The PAC file failed: ${reply.error}.`)
      await Promise.all(reply.needs.slice(0, 10).map(async (name) => void (names[name] = await this.#look(name))))
    }
    throw new Problem('target_failed', 'The PAC file asks for too many names.')
  }

  #file(address: string): PacFile {
    const load = (): PacFile => this.#begin(address)
    const file = this.#files.get(address, load)
    if (Date.now() - file.loadedAt < keptMs) return file
    this.#files.delete(address)
    return this.#files.get(address, load)
  }

  #begin(address: string): PacFile {
    const text = this.#load(address)
    // Whoever asked may have given up by the time it fails.
    text.catch(() => undefined)
    return { loadedAt: Date.now(), text, names: {} }
  }

  async #load(address: string): Promise<string> {
    try {
      return await this.#fetch(this.#guard.parseUrl(address))
    } catch (error) {
      this.#files.delete(address)
      if (!(error instanceof Problem)) throw new Problem('target_timeout', 'The PAC file did not arrive in time.', { cause: error })
      throw new Problem(error.code, `The PAC file cannot be had: ${error.message}`, { cause: error })
    }
  }

  async #fetch(url: URL): Promise<string> {
    const hooks = { signal: AbortSignal.timeout(longestFetchMs) }
    const exchange = async (step: Step): Promise<Answer> => {
      const answer = await dispatch(this.#dispatcher, step, hooks, mostBytes)
      if (!answer) throw hooks.signal.reason
      return answer
    }
    const first: Step = { method: 'GET', url, headers: ['accept', '*/*', 'accept-encoding', 'gzip, deflate, br'], body: null }
    const answer = await followRedirects(this.#guard, first, await exchange(first), exchange)
    if (answer.status === 200) return (await answer.bytes()).toString('utf8')
    answer.discard()
    throw new Problem('target_failed', `${shown(url)} answered with status ${answer.status}.`)
  }

  /** The address of a name, where it may be reached at all: a file learns nothing about private networks. */
  async #look(name: string): Promise<string | null> {
    try {
      return (await this.#guard.admit(name, 80)).address
    } catch {
      return null
    }
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#thread.close()
  }
}

/** Several requests may wait for one file, so that one which is given up leaves it to the others. */
function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error) // whatever the caller aborted with
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
