import { arrivalMs, marginMs } from './bounds.ts'

/**
 * When the dispatch at a position of the line finds a slot, by one window: now where one is free, else when the slots before it have expired,
 * and a window later for each round of the line. A slot whose request is still on its way counts as if it were sent now, because a holder
 * who looks a little too early is told the exact time, while one who looks too late leaves the slot unused.
 */
export const slotLua = `
local function windowOf(key, cap, span)
  local held = redis.call('ZCOUNT', key, now, '+inf')
  return { key = key, cap = cap, span = span + ${marginMs + 1}, held = held, free = cap - held }
end

local function slotAt(window, position, earliest)
  local at = earliest
  local turn = position % window.cap
  if turn >= window.free then
    local found = redis.call('ZRANGEBYSCORE', window.key, now, '+inf', 'WITHSCORES', 'LIMIT', turn - window.free, 1)
    local ends = tonumber(found[2] or now)
    local underWay = ends - now > window.span + ${arrivalMs}
    at = math.max(at, underWay and now + window.span or ends + 1)
  end
  return at + math.floor(position / window.cap) * window.span
end`
