import type { House } from '../house.ts'
import { readBegun } from './begunStages.ts'
import { wakesOf } from './engine/wakes.ts'
import type { Follower, QueryState } from './queryFollower.ts'
import { isEnded } from './queryRecords.ts'
import { findStatus } from './queryStatus.ts'
import { presentStage } from './stageRecords.ts'

/** Least time between two readings of one query. */
const everyMs = 200
/** How often a stream says that it is alive, so that nothing between takes it for dead. */
const aliveMs = 15_000

/** Reads one query for all who follow it, once a change. */
class QueryFollow {
  readonly #house: House
  readonly #id: string
  readonly #followers = new Set<Follower>()
  readonly #state: QueryState = { change: 0, stages: new Map(), status: { word: '', json: '', ended: false } }
  readonly #stopListening: () => void
  readonly #alive: NodeJS.Timeout
  #timer: NodeJS.Timeout | undefined
  #reading = false
  #again = false

  constructor(house: House, id: string) {
    this.#house = house
    this.#id = id
    this.#stopListening = wakesOf(house).listen(id, () => this.#wake())
    this.#alive = setInterval(() => this.#followers.forEach((follower) => follower.remark()), aliveMs).unref()
  }

  get isIdle(): boolean {
    return this.#followers.size === 0
  }

  add(follower: Follower): void {
    this.#followers.add(follower)
    this.#wake()
  }

  delete(follower: Follower): void {
    this.#followers.delete(follower)
  }

  /** Ends every stream; without a last event where the query is no longer there. */
  close(): void {
    this.#stopListening()
    clearInterval(this.#alive)
    clearTimeout(this.#timer)
    for (const follower of this.#followers) follower.end()
    this.#followers.clear()
  }

  #wake(): void {
    this.#again = true
    if (this.#reading || this.#timer !== undefined || this.isIdle) return
    void this.#read()
  }

  async #read(): Promise<void> {
    this.#again = false
    this.#reading = true
    // A database that is away is asked again with the next wake, a second later at the latest.
    await this.#readAndTell().catch((err: unknown) => this.#house.log.debug({ err }, 'a followed query could not be read'))
    this.#reading = false
    if (this.isIdle) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#again) this.#wake()
    }, everyMs).unref()
  }

  async #readAndTell(): Promise<void> {
    // The status is read first: when it says that the query has ended, the stages are as they stay.
    const status = await findStatus(this.#house, this.#id)
    if (!status) return closeFollow(this.#house, this.#id)
    const rows = await readBegun(this.#house, this.#id)
    const change = this.#state.change + 1
    this.#state.change = change
    for (const row of rows) this.#note(row.stage, JSON.stringify(presentStage(row)), change)
    this.#state.status = { word: status.status, json: JSON.stringify(status), ended: isEnded(status.status) }
    for (const follower of this.#followers) follower.tell(this.#state)
    if (!this.#state.status.ended) return
    this.#followers.clear() // they have been told that it is done
    closeFollow(this.#house, this.#id)
  }

  #note(stage: number, json: string, change: number): void {
    if (this.#state.stages.get(stage)?.json !== json) this.#state.stages.set(stage, { json, change })
  }
}

const follows = new WeakMap<House, Map<string, QueryFollow>>()

/** Lets a client follow a query from now on; answers how to stop that. */
export function followQuery(house: House, id: string, follower: Follower): () => void {
  const ofHouse = follows.get(house) ?? new Map<string, QueryFollow>()
  follows.set(house, ofHouse)
  const follow = ofHouse.get(id) ?? new QueryFollow(house, id)
  ofHouse.set(id, follow)
  follow.add(follower)
  return () => {
    follow.delete(follower)
    if (follow.isIdle && ofHouse.get(id) === follow) closeFollow(house, id)
  }
}

function closeFollow(house: House, id: string): void {
  const follow = follows.get(house)?.get(id)
  follows.get(house)?.delete(id)
  follow?.close()
}

/** Ends all streams of events of a process: a client connects again elsewhere. */
export function closeFollows(house: House): void {
  for (const id of follows.get(house)?.keys() ?? []) closeFollow(house, id)
}
