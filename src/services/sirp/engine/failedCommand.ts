import type { Failure } from '../../../contract/sirp/queryRecord.ts'
import type { House } from '../../house.ts'
import { isRunning } from '../../states.ts'
import { encodeRecords } from './commandRecords.ts'
import type { Owner, StageWrite } from './passes.ts'

/** The one run of a stage without jobs. */
type Run = Pick<StageWrite, 'stage' | 'label' | 'command' | 'kind' | 'args' | 'flags'>

/** Stores the record of a run that fails its query, which its owner is about to end. */
export async function recordFailedCommand({ pool }: House, owner: Owner, { stage, label, command, kind, args, flags }: Run, error: Failure): Promise<void> {
  const made = { rows: 0, bytes: 0, ms: 0, cached: false, warnings: [], screenshot: null, flight: false }
  const [chunk] = await encodeRecords([{ index: 0, args, flags, status: 'failed', attempts: 1, error, ...made }])
  await pool.query({ name: 'command-failed', text: failedSql, values: [owner.id, owner.fence, stage, label, command, kind, chunk?.data] })
}

const failedSql = `
  WITH own AS (SELECT id FROM queries WHERE id = $1 AND fence = $2 AND ${isRunning()} FOR SHARE),
  stages AS (
    INSERT INTO query_stages (query_id, stage, label, command, kind, status, commands_total, commands_failed, jobs, started_at)
    SELECT id, $3::integer, $4::text, $5::text, $6::text, 'running', 1, 1, 1, now() FROM own
    ON CONFLICT (query_id, stage) DO UPDATE SET commands_failed = 1)
  INSERT INTO command_records (query_id, stage, first_index, count, command, data) SELECT id, $3::integer, 0, 1, $5::text, $7::bytea FROM own
  ON CONFLICT (query_id, stage, first_index) DO UPDATE SET data = excluded.data`
