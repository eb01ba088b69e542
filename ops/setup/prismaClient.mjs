import { join } from 'node:path'
import { SetupError } from './failure.mjs'
import { root } from './paths.mjs'
import { step } from './progress.mjs'
import { lastLines, run } from './run.mjs'
import { hashOf, isStamped, writeStamp } from './stamp.mjs'

const stampFile = join(root, 'src/platform/prisma/generated/.stamp')

/** Generates the typed database client when the schema, or Prisma itself, changed since the last time. */
export async function ensurePrismaClient() {
  const hash = hashOf(['prisma/schema.prisma', 'prisma/prisma.config.ts', 'node_modules/prisma/package.json'].map((path) => join(root, path)))
  if (isStamped(stampFile, hash)) return
  await step('Generating the database client', async () => {
    const cli = join(root, 'node_modules/prisma/build/index.js')
    // The engine is never used for this, yet it would be downloaded; any program stands in for it.
    const env = { PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' }
    const { code, output } = await run(process.execPath, [cli, 'generate', '--config', 'prisma/prisma.config.ts'], { env })
    if (code !== 0) {
      throw new SetupError(
        `The database client could not be generated from prisma/schema.prisma. Prisma's last lines:\n` +
          `${lastLines(output)}\n` +
          `Correct the schema and run the command again.`,
      )
    }
    writeStamp(stampFile, hash)
  })
}
