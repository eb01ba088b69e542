import { mkdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { referencePages } from './pages.ts'

const folder = resolve('ops/docs/reference')
await mkdir(folder, { recursive: true })
for (const [name, text] of Object.entries(referencePages())) await writeFile(resolve(folder, name), text)
