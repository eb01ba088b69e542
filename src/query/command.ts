import type { Stop } from '../platform/stop.ts'
import type { Bounds } from './bounds.ts'
import type { Lookup } from './expressions/compile.ts'
import type { Param } from './params.ts'
import type { Outside } from './outside.ts'
import type { Batch, Row } from './rows.ts'
import type { Scratch } from './scratch.ts'
import type { Fault } from './text/fault.ts'
import type { ValuePiece } from './text/syntax.ts'

/** What a command does with rows. */
export type Kind = 'generate' | 'map' | 'reduce' | 'expand' | 'sink'

export type Params = Readonly<Record<string, Param>>

/** The values of parameters, by their names. */
export type ValuesOf<P extends Params> = { readonly [Name in keyof P]: P[Name] extends Param<infer Value> ? Value : never }

/** What a stage may use while it runs. */
export interface StageContext {
  /** Values of tokens that do not depend on a row. */
  readonly lookup: Lookup
  /** Adds a warning to the command's record. */
  readonly warn: (message: string) => void
  /** The rows of an earlier stage, by label or number; `true` is the stage before. */
  readonly rowsOf: (stage: string) => AsyncIterable<Batch>
  readonly signal: AbortSignal
  readonly outside: Outside
  readonly scratch: Scratch
}

/** What one run of an expanding command, for one input row, may use. */
export interface EachContext extends Pick<StageContext, 'warn' | 'signal' | 'outside'> {
  /** Values of all tokens: the row's columns, the time, and stored things. */
  readonly lookup: Lookup
  /** The same as `signal`, and much cheaper for a run that only hands it on. */
  readonly stop: Stop
}

/** One call of a command: its values and what it may use. */
export interface Call<Args extends Params = Params, Flags extends Params = Params> {
  readonly args: ValuesOf<Args>
  readonly flags: ValuesOf<Flags>
  readonly context: StageContext
}

/** One run of an expanding command. */
export interface EachCall<Args extends Params = Params, Flags extends Params = Params> {
  readonly args: ValuesOf<Args>
  readonly flags: ValuesOf<Flags>
  readonly context: EachContext
}

/** What is known of a call before anything runs. */
export interface Foreseen<Args extends Params = Params, Flags extends Params = Params> extends Pick<Call<Args, Flags>, 'args' | 'flags'> {
  /** Its arguments as the plan shows them. */
  readonly shown: readonly unknown[]
  /** How many rows an earlier stage makes, by label or number. */
  readonly earlier: (stage: string) => Bounds
}

/** Where a stage is written: its command's name, and the values of its arguments in order. */
export interface Written {
  readonly name: ValuePiece
  readonly values: readonly ValuePiece[]
}

/** The rows of one run: as they come, or all at once where they are few. */
export type MadeRows = AsyncIterable<Batch> | Promise<Batch>

/** One verb of the language, with all that the parser, the hints, the reference and the worker need. */
export interface Command<Args extends Params = Params, Flags extends Params = Params> {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly kind: Kind
  readonly summary: string
  /** In the order in which they are written. */
  readonly args: Args
  readonly flags: Flags
  /** Flags of the form `--prefix.anything`, which are not declared one by one. */
  readonly openFlags?: string
  /** Queries that run as they stand; a test runs each of them. */
  readonly examples: readonly [string, string, ...string[]]
  /** Its result is never kept for another query. */
  readonly neverCached?: true
  /** Of an expanding command: its rows hold the columns of their input row, so that another row's run does not stand for it. */
  readonly keepsRow?: true
  /** Finds values that are right each by itself but do not go together; asked only of a stage without other faults. */
  readonly check?: (call: Pick<Call<Args, Flags>, 'args' | 'flags'>, written: Written) => readonly Fault[]
  /** Streams batches in, batches out; a generator gets one batch with one empty row. */
  readonly run?: (batches: AsyncIterable<Batch>, call: Call<Args, Flags>) => AsyncIterable<Batch>
  /** In place of `run`, or beside it where `asOne` tells which: makes the rows of one input row, on any worker and beside others; tried again and time-boxed by the engine, which also merges `--enrich`. */
  readonly each?: (row: Row, call: EachCall<Args, Flags>) => MadeRows
  /** Of a command with both: whether this call must see all rows in one `run`. */
  readonly asOne?: (flags: ValuesOf<Flags>) => boolean
  /** The queue whose workers run it, where it is not the usual one. */
  readonly queue?: 'browser'
  /** How long one run may take unless `--timeout` says otherwise, where it is not the usual time. */
  readonly runMs?: number
  /** How many input rows one job takes where a run is cheap; 1 unless said otherwise. */
  readonly rowsPerJob?: number
  /** How many rows it makes of so many, told from its values alone and without side effects. Unless said: a map or sink as many, a reduce at most as many, others any number. */
  readonly rows?: (input: Bounds, call: Foreseen<Args, Flags>) => Bounds
  /** How many requests one run sends to what it names; redirects, repeats after failures and what a page loads are not counted. Unless said: an expanding command at least one, others none. */
  readonly requests?: (call: Pick<Call<Args, Flags>, 'args' | 'flags'>) => Bounds
}

/** Declares a command; the types of its arguments and flags reach its `run`. */
export function defineCommand<const Args extends Params, const Flags extends Params>(command: Command<Args, Flags>): Command<Args, Flags> {
  return command
}

/** A command whose parameters are not known to its caller. */
export type AnyCommand = Omit<Command, 'run' | 'each' | 'check' | 'asOne' | 'rows' | 'requests'> & {
  readonly check?: (call: never, written: Written) => readonly Fault[]
  readonly run?: (batches: AsyncIterable<Batch>, call: never) => AsyncIterable<Batch>
  readonly each?: (row: Row, call: never) => MadeRows
  readonly asOne?: (flags: never) => boolean
  readonly rows?: (input: Bounds, call: never) => Bounds
  readonly requests?: (call: never) => Bounds
}
