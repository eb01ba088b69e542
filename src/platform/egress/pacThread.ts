import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { Problem } from '../errors.ts'
import { pacFunctions } from './pacFunctions.ts'
import { pacProgram, type PacJob, type PacReply, type PacSetting } from './pacProgram.ts'

const longestMs = 1_000
/** QuickJS cannot interrupt every loop of its own, so a thread that is silent for this long is ended. */
const longestSilenceMs = 4_000
const longestStartMs = 15_000
const mostFiles = 8

/** A thread that runs PAC files one question at a time; one that hangs is ended, and the next question begins another. */
export class PacThread {
  #worker: Promise<Worker> | null = null
  #known = new Set<string>()
  #line: Promise<unknown> = Promise.resolve()

  /** Asks a file; `source` is only sent to a thread that has not seen it. */
  ask(job: PacJob, source: string): Promise<PacReply> {
    const turn = this.#line.then(() => this.#run(job, source))
    this.#line = turn.catch(() => undefined)
    return turn
  }

  async #run(job: PacJob, source: string): Promise<PacReply> {
    try {
      this.#worker ??= start()
      const worker = await this.#worker
      const reply = nextMessage(worker, longestSilenceMs)
      worker.postMessage(this.#known.has(job.file) ? job : { ...job, source }, [])
      const found = (await reply) as PacReply // the program posts nothing else
      this.#remember(job.file, !('error' in found))
      return found
    } catch {
      await this.close()
      throw new Problem('target_failed', 'The PAC file took too long or used too much memory.')
    }
  }

  /** The thread drops its oldest files for new ones; whenever it may have dropped one that we count on, all are sent again. */
  #remember(file: string, usable: boolean): void {
    if (!usable || (this.#known.size >= mostFiles && !this.#known.has(file))) this.#known.clear()
    if (usable) this.#known.add(file)
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    this.#known.clear()
    await worker?.then((running) => running.terminate(), () => undefined)
  }
}

async function start(): Promise<Worker> {
  const { resolve } = createRequire(import.meta.url)
  const setting: PacSetting = {
    core: resolve('quickjs-emscripten-core'),
    variant: resolve('@jitl/quickjs-wasmfile-release-sync'),
    functions: pacFunctions,
    longestMs,
    mostFiles,
  }
  const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }
  const text = `(${pacProgram.toString()})(require)`
  const worker = new Worker(text, { eval: true, workerData: setting, env: {}, execArgv: [], resourceLimits })
  worker.on('error', () => undefined)
  try {
    await nextMessage(worker, longestStartMs)
  } catch (error) {
    await worker.terminate()
    throw error
  }
  return worker
}

/** The next message, within a time; the thread keeps the process alive only while it is awaited. */
function nextMessage(worker: Worker, ms: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      worker.off('message', take).off('exit', fail).unref()
    }
    const take = (message: unknown): void => (stop(), resolve(message))
    const fail = (): void => (stop(), reject(new Error('The thread is silent or gone.')))
    const timer = setTimeout(fail, ms)
    worker.on('message', take).on('exit', fail).ref()
  })
}
