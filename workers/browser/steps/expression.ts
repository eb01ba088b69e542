import type { Protocol } from 'puppeteer'
import { Problem } from '../../../src/platform/errors.ts'
import { bounds } from './bounds.ts'
import { expressionName, finishSource, statementsSource, thunkSources, type Finished } from './expressionSource.ts'
import { librariesSource, type LibraryWishes } from './libraries.ts'
import { describeThrown, isLeft, type Tab } from './tab.ts'

/** What an expression is given. */
export interface Scripting extends LibraryWishes {
  readonly args?: readonly unknown[]
}

const leftWhileRunning = 'The page went elsewhere while the expression ran. Use a session for expressions that lead to another page.'

type ObjectId = Protocol.Runtime.RemoteObjectId

/** Evaluates an expression in the page, where it sees what scripts of the page see; a function is called with arguments and libraries. */
export async function evaluate(tab: Tab, expression: string, scripting: Scripting = {}): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(tab, expression, scripting)
    } catch (error) {
      if (!isLeft(error)) throw error
      // A page that has just loaded can go elsewhere by itself; one that does so again is led there by the expression.
      if (attempt === 2) throw new Problem('expression_failed', leftWhileRunning)
    }
  }
}

/** Evaluates an expression that may lead to another page; its value is null where the page is left before there is one. */
export async function act(tab: Tab, expression: string, scripting: Scripting = {}): Promise<unknown> {
  try {
    return await run(tab, expression, scripting)
  } catch (error) {
    if (isLeft(error)) return null
    throw error
  }
}

async function run(tab: Tab, expression: string, scripting: Scripting): Promise<unknown> {
  const source = await librariesSource(scripting)
  const read = await readExpression(tab, expression)
  const libraries = source === null ? [] : [{ objectId: await handle(tab, source) }]
  const { result, exceptionDetails } = await tab.session.send('Runtime.callFunctionOn', {
    functionDeclaration: finishSource,
    objectId: read,
    arguments: [{ objectId: read }, ...(scripting.args ?? []).map((value) => ({ value })), ...libraries],
    awaitPromise: true,
    returnByValue: true,
    userGesture: true,
  })
  if (exceptionDetails) throw thrown(exceptionDetails)
  return within(result.value as Finished) // what finishSource answers
}

/** Reads an expression: first as a value, then as one that awaits, then as statements. */
export async function readExpression(tab: Tab, expression: string): Promise<ObjectId> {
  for (const source of thunkSources(expression)) {
    const { result, exceptionDetails } = await tab.session.send('Runtime.evaluate', { expression: source })
    if (!exceptionDetails && result.objectId !== undefined) return result.objectId
  }
  return handle(tab, statementsSource(expression))
}

async function handle(tab: Tab, source: string): Promise<ObjectId> {
  const { result, exceptionDetails } = await tab.session.send('Runtime.evaluate', { expression: source, userGesture: true })
  if (exceptionDetails) throw thrown(exceptionDetails)
  return result.objectId ?? ''
}

function within({ value = null, beyond }: Finished): unknown {
  if (beyond === 'depth') {
    throw new Problem('expression_failed', `The value of the expression is deeper than ${bounds.resultDepth} levels. Return less of it.`)
  }
  if (beyond === 'size' || Buffer.byteLength(JSON.stringify(value)) > bounds.resultBytes) {
    throw new Problem('expression_failed', `The value of the expression is larger than ${bounds.resultBytes} bytes. Return less of it.`)
  }
  return value
}

/** The problem of an expression that threw, with those lines of the stack that are its own. */
export function thrown(details: Protocol.Runtime.ExceptionDetails): Problem {
  const lines = describeThrown(details).replace(/^Uncaught /, '').split('\n')
  const firstFrame = lines.findIndex((line) => /^\s+at /.test(line))
  const message = lines.slice(0, firstFrame === -1 ? lines.length : firstFrame).join('\n')
  const frames = firstFrame === -1 ? [] : lines.slice(firstFrame).flatMap(ownFrame)
  return new Problem('expression_failed', `The expression failed: ${message}`, { extra: { message, stack: [message, ...frames].join('\n') } })
}

const frame = new RegExp(`^\\s+at .*?\\(?${expressionName}:(\\d+):(\\d+)\\)?$`)

/** A line of the stack that is the expression's own, which is read one line lower than it was written. */
function ownFrame(line: string): string[] {
  const [, row, column] = frame.exec(line) ?? []
  return row === undefined ? [] : [`    at ${expressionName}:${Math.max(1, Number(row) - 1)}:${column}`]
}
