import { join, resolve } from 'node:path'
import { pause } from '../src/platform/clock.ts'
import { readEnv, type Env } from '../src/platform/env.ts'
import { migrate, MigrationError } from '../src/platform/migrations.ts'
import { addressOf, probeAddressOf } from './up/address.ts'
import { writeBanner } from './up/banner.ts'
import { inDataDir, preparePrivateDir } from './up/dataDir.ts'
import { lockDataDir } from './up/dataDirLock.ts'
import { makeFirstKey } from './up/firstKey.ts'
import { probePort } from './up/freePort.ts'
import { Printer } from './up/printer.ts'
import { readProcfile, type ProcessKind } from './up/procfile.ts'
import { waitForReady } from './up/ready.ts'
import { Runner } from './up/runner.ts'
import { parseScale, type Scale } from './up/scale.ts'
import { provideServers } from './up/servers.ts'
import { onEndSignals } from './up/signals.ts'
import { reasonOf, StartError } from './up/startError.ts'

/** What the one-command start is given. */
export interface UpOptions {
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** The checkout. */
  readonly root: string
}

interface Plan extends UpOptions {
  readonly beganMs: number
  readonly kinds: readonly ProcessKind[]
  readonly scale: Scale
  readonly settings: Env
}

const readyBoundMs = 90_000
const startBoundMs = 5_000

/** Starts everything, keeps it running until a signal comes, ends it all in order; gives the exit code, or throws why the start failed. */
export async function up(options: UpOptions): Promise<number> {
  const plan = await makePlan(options)
  if (hasApi(plan)) await checkPort(plan.settings)
  const { dataDir } = plan.settings
  await preparePrivateDir(dataDir)
  const unlock = await inDataDir(dataDir, () => lockDataDir(dataDir))
  const printer = new Printer(process.stdout, namesOf(plan))
  const runner = new Runner(printer)
  const signals = listenToSignals(runner, printer)
  const started = startAll(plan, runner, printer)
  try {
    await Promise.race([started, runner.untilEnding()])
    await runner.untilEnding()
  } finally {
    // What is half started ends sooner by itself than it can be ended from here.
    await Promise.race([Promise.allSettled([started]), pause(startBoundMs)])
    await runner.stopAll()
    await unlock()
    signals.release()
  }
  printer.say('Everything is stopped.')
  return signals.killed() ? 1 : 0
}

async function makePlan(options: UpOptions): Promise<Plan> {
  const { args, env, root } = options
  const beganMs = Date.now()
  const kinds = await readProcfile(join(root, 'Procfile'))
  const scale = parseScale(args, kinds.map((kind) => kind.name))
  const settings = readEnv({ ...env, DATA_DIR: resolve(root, env['DATA_DIR']?.trim() || '.data') })
  return { ...options, beganMs, kinds, scale, settings }
}

async function checkPort({ port, host }: Env): Promise<void> {
  const problem = await probePort(port, host)
  if (problem === null) return
  const other = port === 65_535 ? 1968 : port + 1
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. End the process that listens there, or choose another port: PORT=${other} npm start`,
    EACCES: `Port ${port} of ${host} may not be opened by this user. Choose one above 1023: PORT=1968 npm start`,
    EADDRNOTAVAIL: `This machine does not have the address ${host}. Set HOST to one that it has, such as 127.0.0.1, or 0.0.0.0 for all.`,
    ENOTFOUND: `The name ${host} is not known. Set HOST to an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all.`,
  }
  throw new StartError(reasons[problem] ?? `Port ${port} of ${host} cannot be opened (${problem}). Set HOST and PORT to others.`)
}

async function startAll(plan: Plan, runner: Runner, printer: Printer): Promise<void> {
  const { root, settings } = plan
  printer.say('Starting PostgreSQL and Redis')
  const provided = await inDataDir(settings.dataDir, () => provideServers(settings, runner))
  await migrateDatabase(provided.DATABASE_URL, root, printer)
  if (runner.ending.aborted) return
  const env = { NODE_ENV: 'production', ...plan.env, ...provided, DATA_DIR: settings.dataDir }
  startChildren(plan, runner, printer, env)
  if (!hasApi(plan)) {
    runner.markReady()
    return printer.say('Started without an API on this machine. Ctrl-C stops everything.')
  }
  if (!(await isReady(plan, runner))) return
  const key = await makeFirstKey(readEnv(env))
  runner.markReady()
  const address = addressOf(settings.host, settings.port)
  printer.say(writeBanner({ address, authScheme: settings.authScheme, key, startedInMs: Date.now() - plan.beganMs }))
}

async function migrateDatabase(url: string, root: string, printer: Printer): Promise<void> {
  try {
    const applied = await migrate(url, join(root, 'prisma/migrations'))
    if (applied.length > 0) printer.say(`Migrated the database (${applied.join(', ')})`)
  } catch (error) {
    if (error instanceof MigrationError) throw error
    throw new StartError(
      `The database could not be migrated: ${reasonOf(error)}.\n` +
        'Its user must own the database, or may create tables in it; correct that, or DATABASE_URL, and start again.',
    )
  }
}

function startChildren(plan: Plan, runner: Runner, printer: Printer, env: NodeJS.ProcessEnv): void {
  printer.say(`Starting ${namesOf(plan).join(', ')}`)
  for (const kind of plan.kinds) {
    for (const name of namesOfKind(kind, plan.scale)) runner.addChild(name, kind, { root: plan.root, env })
  }
}

async function isReady({ settings }: Plan, runner: Runner): Promise<boolean> {
  const address = probeAddressOf(settings.host, settings.port)
  if (await waitForReady(address, readyBoundMs, runner.ending)) return true
  if (runner.ending.aborted) return false
  throw new StartError(
    `The API was not ready within ${readyBoundMs / 1000} s (${address}/readyz). Its last lines:\n` +
      `${runner.tailOf('api.1')}\n` +
      'Mend what they name and start again.',
  )
}

function listenToSignals(runner: Runner, printer: Printer): { killed(): boolean; release(): void } {
  let killed = false
  const first = (signal: string): void => {
    printer.say(`\n${signal}: stopping; once more to stop at once`)
    runner.requestEnd()
  }
  const again = (): void => {
    if (killed) return
    killed = true
    void runner.killAll().finally(() => process.exit(1))
  }
  const release = onEndSignals(first, again)
  return { killed: () => killed, release }
}

const hasApi = ({ scale }: Plan): boolean => scale.get('api') !== 0

const namesOf = ({ kinds, scale }: Plan): string[] => kinds.flatMap((kind) => namesOfKind(kind, scale))

const namesOfKind = ({ name }: ProcessKind, scale: Scale): string[] =>
  Array.from({ length: scale.get(name) ?? 1 }, (_, index) => `${name}.${index + 1}`)
