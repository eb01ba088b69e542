import { activeMs, lateMs, longestWaitMs } from './bounds.ts'
import { epochLua, type Epoch } from './epochScript.ts'
import { Script } from './script.ts'
import { slotLua } from './slotLua.ts'

/** What Redis says to a holder that wants to send. */
export interface Asked {
  readonly go: boolean
  readonly now: number
  readonly epoch: Epoch & { readonly hold: number }
  /** Whether a limiter still has the count of an earlier policy. */
  readonly stale: boolean
  /** When the holder was first refused; 0 where it never was. */
  readonly since: number
  readonly position: number
  readonly nextAt: number
  readonly waitMs: number
  readonly coolUntil: number
}

/** How long the line of a domain is kept when nobody stands in it any more. */
const lineKeptMs = 900_000
/** How long a place is kept for a holder that does not come back. */
const placeKeptMs = 86_400_000
/** How long a holder that was let through may need to take its slot. */
const grantMs = 1_000
/** Holders that are to look again this soon go before others when a slot is free now. */
const soonMs = 150
/**
 * Who waits looks again before its turn is expected, in case others have left the line: when half of the time has passed, but not much
 * later than this, and one after another, so that looking costs next to nothing, however many wait.
 */
const lookAgain = { leastMs: 5_000, mostMs: 20_000, apartMs: 130, longestMs: 600_000 }

/**
 * Decides whether a holder may try for a slot: enough are free for it and for those before it in the line that are about to look.
 * Otherwise it gets, or keeps, its place and the time at which to look again.
 *
 * Keys: epoch, cooling, active, line (by first refusal), due (by time to look again), late (by first refusal), granted (slots that are being
 * taken, by the time they are given up), then expirations and settings of each limiter. Arguments: domain, holder, whether it joins the line,
 * seen epoch and count, a fresh epoch, the slot, then count and length of each window.
 */
export const askScript = new Script<Asked>(epochLua, slotLua, `
local cooling, active, line, due, late, granted = KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7]
local domain, holder, joins = ARGV[1], ARGV[2], ARGV[3] == '1'
local epoch = epochOf(KEYS[1], ARGV[4], ARGV[5], ARGV[6])
local cool = tonumber(redis.call('ZSCORE', cooling, domain) or 0)
redis.call('ZADD', active, now, domain)
redis.call('ZREMRANGEBYSCORE', active, '-inf', now - ${activeMs})
redis.call('PEXPIRE', active, ${activeMs})

local function stepAside(member)
  redis.call('ZADD', late, redis.call('ZSCORE', line, member) or now, member)
  redis.call('ZREM', line, member)
  redis.call('ZREM', due, member)
end
for _, member in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now - ${lateMs})) do stepAside(member) end
redis.call('ZREMRANGEBYSCORE', late, '-inf', now - ${placeKeptMs})

local windows, free, stale = {}, math.huge, false
for i = 8, #KEYS, 2 do
  local window = windowOf(KEYS[i], tonumber(ARGV[i]), tonumber(ARGV[i + 1]))
  local kept = redis.call('HGET', KEYS[i + 1], 'maxConcurrent')
  stale = stale or (kept and tonumber(kept) ~= window.cap) or false
  free = math.min(free, window.free)
  windows[#windows + 1] = window
end

redis.call('ZREMRANGEBYSCORE', granted, '-inf', now)
for _, slot in ipairs(redis.call('ZRANGE', granted, 0, -1)) do
  if redis.call('ZSCORE', KEYS[#KEYS - 1], slot) then redis.call('ZREM', granted, slot) end
end
local pending = redis.call('ZCARD', granted)
free = free - pending

local since = tonumber(redis.call('ZSCORE', line, holder) or redis.call('ZSCORE', late, holder) or nil)
local function othersFirst()
  local count = 0
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now + ${soonMs}, 'LIMIT', 0, 1000)) do
    local theirs = tonumber(redis.call('ZSCORE', line, member) or now)
    local first = not since or theirs < since or (theirs == since and member < holder)
    if member ~= holder and first then count = count + 1 end
    if count >= free then break end
  end
  return count
end

local earliest = math.max(now, cool, epoch.hold)
local answer = { go = false, now = now, epoch = epoch, stale = stale, since = since or 0, position = 0 }
answer.nextAt, answer.waitMs, answer.coolUntil = now, 0, cool
if earliest <= now and free > 0 and othersFirst() < free then
  answer.go = true
  if redis.call('ZSCORE', line, holder) then stepAside(holder) end
  redis.call('ZADD', granted, now + ${grantMs}, ARGV[7])
  redis.call('PEXPIRE', granted, ${grantMs * 10})
  epoch.seq = redis.call('HINCRBY', KEYS[1], 'seq', 1)
  return cjson.encode(answer)
end

if joins then
  answer.since = since or now
  redis.call('ZREM', late, holder)
  redis.call('ZADD', line, answer.since, holder)
end
answer.position = redis.call('ZRANK', line, holder) or redis.call('ZCARD', line)
local at = earliest
for _, window in ipairs(windows) do at = math.max(at, slotAt(window, answer.position + pending, earliest)) end
answer.nextAt = math.max(at, now + 5)
local function lookAgainMs()
  local half = math.max(${lookAgain.leastMs}, math.min(${lookAgain.mostMs}, math.ceil((answer.nextAt - now) / 2)))
  local last = tonumber(redis.call('ZREVRANGE', due, 0, 0, 'WITHSCORES')[2] or now)
  local behindLast = math.min(last - now + ${lookAgain.apartMs}, half + ${lookAgain.apartMs} * redis.call('ZCARD', line))
  return math.min(${lookAgain.longestMs}, math.max(half, behindLast))
end
local longest = joins and lookAgainMs() or ${longestWaitMs}
if earliest <= now and free > 0 then longest = ${lateMs + soonMs} end -- those who go first may not come
answer.waitMs = math.min(answer.nextAt - now, longest)
if joins then
  redis.call('ZADD', due, now + answer.waitMs, holder)
  for _, key in ipairs({ line, due, late }) do redis.call('PEXPIRE', key, ${lineKeptMs}) end
end
return cjson.encode(answer)`)
