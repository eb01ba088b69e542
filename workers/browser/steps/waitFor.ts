import { pause } from '../../../src/platform/clock.ts'
import { invalidField, Problem } from '../../../src/platform/errors.ts'
import { readExpression, thrown } from './expression.ts'
import { pollSource, type Polling } from './poll.ts'
import { isLeft, type Tab } from './tab.ts'

/** What a page is waited for. */
export interface Waiting {
  readonly wait?: number | string | readonly (number | string)[]
  readonly visible?: boolean
  readonly hidden?: boolean
  readonly polling?: Polling
}

const arrowFunction = /^\s*(async\b\s*)?(\([^]*?\)|[\w$]+)\s*=>/

const elementSource = `({ text, isPath, visible, hidden, polling, ms }) => {
  const find = () => isPath
    ? Document.prototype.evaluate.call(document, text, document, null, 9, null).singleNodeValue
    : Document.prototype.querySelector.call(document, text)
  const isShown = (node) => {
    const element = node.nodeType === 1 ? node : node.parentElement
    if (!element) return false
    const { width, height } = Element.prototype.getBoundingClientRect.call(element)
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
  }
  const holds = () => {
    const node = find()
    if (hidden) return !node || !isShown(node)
    return Boolean(node) && (!visible || isShown(node))
  }
  try {
    find()
  } catch {
    return 'wrong'
  }
  return (${pollSource})(holds, polling, ms)
}`

const functionSource = `function (read, polling, ms) {
  const holds = async () => {
    const value = typeof read === 'function' ? await read() : read.value
    return typeof value === 'function' ? value() : value
  }
  return (${pollSource})(holds, polling, ms)
}`

/** Waits until every criterion holds, one after another. */
export async function waitFor(tab: Tab, waiting: Waiting): Promise<void> {
  const { wait } = waiting
  const criteria = wait === undefined ? [] : typeof wait === 'object' ? wait : [wait]
  for (const criterion of criteria) await waitForOne(tab, criterion, waiting)
}

async function waitForOne(tab: Tab, criterion: number | string, waiting: Waiting): Promise<void> {
  if (typeof criterion === 'number' || /^\d+$/.test(criterion)) return pause(Number(criterion), tab.visit.signal)
  const look = arrowFunction.test(criterion) ? lookAtFunction : lookAtElement
  const end = Date.now() + tab.navigationMs
  for (let left = tab.navigationMs; left > 0; left = end - Date.now()) {
    // What a page that went elsewhere held says nothing about the one that is there now.
    const held = await look(tab, criterion, waiting, left).catch((error: unknown) => {
      if (isLeft(error)) return 'left'
      throw error
    })
    if (held === true) return
    if (held === false) break
  }
  const shown = criterion.slice(0, 200)
  throw new Problem('target_timeout', `The page did not come to what was waited for within ${tab.navigationMs} ms: ${shown}`)
}

async function lookAtElement(tab: Tab, text: string, waiting: Waiting, ms: number): Promise<boolean> {
  const { visible = false, hidden = false, polling = 'raf' } = waiting
  const isPath = text.startsWith('//')
  const held = await tab.ask<boolean | 'wrong'>(elementSource, { text, isPath, visible, hidden, polling, ms })
  const kind = isPath ? 'XPath' : 'CSS selector'
  if (held === 'wrong') throw invalidField('/wait', `must be a valid ${kind}, which ${text.slice(0, 200)} is not`)
  return held
}

async function lookAtFunction(tab: Tab, text: string, { polling = 'raf' }: Waiting, ms: number): Promise<boolean> {
  const objectId = await readExpression(tab, text)
  const { result, exceptionDetails } = await tab.session.send('Runtime.callFunctionOn', {
    functionDeclaration: functionSource,
    objectId,
    arguments: [{ objectId }, { value: polling }, { value: ms }],
    awaitPromise: true,
    returnByValue: true,
  })
  if (exceptionDetails) throw thrown(exceptionDetails)
  return result.value === true
}
