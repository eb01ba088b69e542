import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import puppeteer from 'puppeteer'
import { Problem } from '../../src/platform/errors.ts'

/** A browser program, and whether it is the headless shell, which starts pages four times faster than a whole browser. */
export interface Binary {
  readonly path: string
  readonly shell: boolean
}

const shells = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium-headless-shell',
  '/usr/lib64/chromium-browser/headless_shell',
]

// Programs, no wrapper scripts: those add flags of their own.
const wholes = [
  '/usr/lib/chromium/chromium',
  '/usr/lib64/chromium-browser/chromium-browser',
  '/opt/google/chrome/chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * The browser to run: the given one, or the best one installed. A whole browser runs where it is asked for (CHROME_PATH names one, or
 * `whole` is set and one is installed), and where it is needed, because no headless shell is installed.
 */
export async function findBinary(given: string | undefined, whole = false): Promise<Binary> {
  const asked = given === undefined ? [] : [toBinary(given)]
  if (asked[0] && !(await mayRun(asked[0].path))) {
    throw new Problem('unavailable', `CHROME_PATH is ${JSON.stringify(given)}, which is no program that may be run. Correct it, or unset it.`)
  }
  const installed = [...shells, ...wholes, ...ownDownloads()].map(toBinary)
  const candidates = whole ? [...asked, ...installed].toSorted((a, b) => Number(a.shell) - Number(b.shell)) : [...asked, ...installed]
  for (const binary of candidates) if (await mayRun(binary.path)) return binary
  throw new Problem('unavailable', 'No Chromium is installed. Install chromium-headless-shell, or set CHROME_PATH to a browser.')
}

const toBinary = (path: string): Binary => ({ path, shell: /headless[-_]shell/.test(path) })

/** Whether there is a program at this path that may be run. */
export const mayRun = (path: string): Promise<boolean> => access(path, constants.X_OK).then(() => true, () => false)

/** Where Puppeteer puts the browsers that it downloads; it throws where it has none. */
function ownDownloads(): string[] {
  const kinds = ['shell', true] as const
  return kinds.flatMap((headless) => {
    try {
      return [puppeteer.executablePath({ headless })]
    } catch {
      return []
    }
  })
}
