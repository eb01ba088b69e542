import { holdOffMs } from './bounds.ts'

/** What a process remembers of the state in Redis, so that it notices when that state is gone. */
export interface Epoch {
  readonly id: string
  /** Counts what was written; a smaller number than before means that Redis came back with older data. */
  readonly seq: number
}

/**
 * Compares what the asking process has seen with what Redis holds. Where they differ, slots may have been lost, and nothing of a limited
 * domain is let through until each of them would have expired. A process that has seen nothing finds nothing lost.
 */
export const epochLua = `
local function epochOf(key, seenId, seenSeq, freshId)
  local id, made, seq, hold = unpack(redis.call('HMGET', key, 'id', 'made', 'seq', 'hold'))
  if not id then
    id, made, seq = freshId, now, 0
    redis.call('HSET', key, 'id', id, 'made', made, 'seq', seq)
  end
  seq, hold = tonumber(seq), tonumber(hold or 0)
  local lostAt = nil
  if seenId ~= '' and seenId ~= id then
    lostAt = tonumber(made)
  elseif seenId == id and seq < tonumber(seenSeq) then
    lostAt = now
    seq = tonumber(seenSeq)
    redis.call('HSET', key, 'seq', seq)
  end
  if lostAt and lostAt + ${holdOffMs} > math.max(hold, now) then
    hold = lostAt + ${holdOffMs}
    redis.call('HSET', key, 'hold', hold)
  end
  return { id = id, seq = seq, hold = hold }
end`
