import { ensureBuild } from './build.mjs'
import { ensurePackages } from './packages.mjs'
import { ensurePrismaClient } from './prismaClient.mjs'
import { ensureSystemPackages } from './systemPackages.mjs'

/** Everything a fresh clone needs before it can run or be tested; costs next to nothing when it is all there. Gives the browser's path. */
export async function setUp() {
  const chromePath = await ensureSystemPackages()
  await ensurePackages()
  await ensurePrismaClient()
  await ensureBuild()
  return { chromePath }
}
