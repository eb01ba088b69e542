import type * as Variant from '@jitl/quickjs-wasmfile-release-sync'
import type { QuickJSContext, QuickJSRuntime } from 'quickjs-emscripten-core'
import type * as Core from 'quickjs-emscripten-core'
import type * as Threads from 'node:worker_threads'

/** A question to a PAC file; `source` comes with the first one. */
export interface PacJob {
  readonly file: string
  readonly source?: string
  readonly url: string
  readonly host: string
  /** Names that have been looked up so far; null where there is no address that may be reached. */
  readonly names: Readonly<Record<string, string | null>>
}

/** What came of it: an answer, names that must be looked up first, or what the file did wrong. */
export type PacReply = { readonly answer: string } | { readonly needs: readonly string[] } | { readonly error: string }

/** Where the thread finds its packages, and its bounds. */
export interface PacSetting {
  readonly core: string
  readonly variant: string
  readonly functions: string
  readonly longestMs: number
  readonly mostFiles: number
}

interface Global {
  readonly WebAssembly: { readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => object }
}

interface Opened {
  readonly runtime: QuickJSRuntime
  readonly context: QuickJSContext
}

/**
 * The program of the thread that runs PAC files, each in a QuickJS of its own. Its text is handed to the thread, so it uses nothing but
 * its own names and `load`, which is Node's `require`.
 */
export function pacProgram(load: (name: string) => unknown): void {
  const { parentPort, workerData } = load('node:worker_threads') as typeof Threads
  const setting = workerData as PacSetting
  const core = load(setting.core) as typeof Core
  const variant = load(setting.variant) as (typeof Variant)['default']
  // The types of Node name this global without its value.
  const { WebAssembly: wasm } = globalThis as unknown as Global
  const texts = new Map<string, string>()
  const files = new Map<string, Opened>()
  let names: PacJob['names'] = {}
  let needs: string[] = []

  /** QuickJS cannot count its own memory, so each file has a WebAssembly memory of 32 MiB at most, which goes with it. */
  const newRuntime = async (): Promise<QuickJSRuntime> => {
    const wasmMemory = new wasm.Memory({ initial: 256, maximum: 512 })
    const quickjs = await core.newQuickJSWASMModuleFromVariant(core.newVariant(variant.default, { wasmMemory }))
    return quickjs.newRuntime({ maxStackSizeBytes: 262_144 })
  }
  const failure = (context: QuickJSContext, error: Core.QuickJSHandle): Error => {
    const thrown = error.consume((handle) => context.dump(handle) as unknown)
    const message = typeof thrown === 'object' && thrown !== null && 'message' in thrown ? thrown.message : thrown
    return new Error(String(message).slice(0, 200))
  }
  const open = async (file: string): Promise<Opened> => {
    const runtime = await newRuntime()
    const context = runtime.newContext()
    const resolveName = context.newFunction('resolveName', (handle) => {
      const name = context.getString(handle)
      const found = Object.hasOwn(names, name) ? names[name] : undefined
      if (found === undefined) needs.push(name)
      return found ? context.newString(found) : context.null
    })
    resolveName.consume((handle) => context.setProp(context.global, 'resolveName', handle))
    runtime.setInterruptHandler(core.shouldInterruptAfterDeadline(Date.now() + setting.longestMs))
    for (const text of [setting.functions, texts.get(file) ?? '']) {
      const result = context.evalCode(text, 'proxy.pac')
      if (result.error) throw failure(context, result.error)
      result.value.dispose()
    }
    // What a file computes while it is read would stay wrong; once the names are known it is read again.
    if (needs.length === 0) files.set(file, { runtime, context })
    return { runtime, context }
  }
  const ask = ({ runtime, context }: Opened, { url, host }: PacJob): string => {
    runtime.setInterruptHandler(core.shouldInterruptAfterDeadline(Date.now() + setting.longestMs))
    const asked = `FindProxyForURL(${JSON.stringify(url)}, ${JSON.stringify(host)})`
    const result = context.evalCode(`(function (answer) { return answer == null ? '' : String(answer) })(${asked})`, 'call')
    if (result.error) throw failure(context, result.error)
    return result.value.consume((handle) => context.getString(handle)).slice(0, 4_000)
  }
  const keep = (file: string, text: string): void => {
    const oldest = texts.size >= setting.mostFiles ? [...texts.keys()].slice(0, 1) : []
    for (const gone of [file, ...oldest]) {
      texts.delete(gone)
      files.delete(gone)
    }
    texts.set(file, text)
  }
  const answer = async (job: PacJob): Promise<PacReply> => {
    names = job.names
    needs = []
    if (job.source !== undefined) keep(job.file, job.source)
    try {
      const text = ask(files.get(job.file) ?? (await open(job.file)), job)
      return needs.length > 0 ? { needs } : { answer: text }
    } catch (error) {
      if (needs.length > 0) return { needs }
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }
  parentPort?.on('message', (job: PacJob) => void answer(job).then((reply) => parentPort.postMessage(reply, [])))
  parentPort?.postMessage('ready', [])
}
