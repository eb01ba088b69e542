import type { House } from '../../house.ts'
import { abandonedAfterMs, discardContent } from './contents.ts'

const contentsAtOnce = 100

/** Removes contents that no file holds any more, or that an upload left behind when its process died; answers how many. */
export async function reapContents(house: House): Promise<number> {
  let reaped = 0
  for (;;) {
    const ids = await findAbandoned(house)
    for (const id of ids) await discardContent(house.pool, id)
    reaped += ids.length
    if (ids.length < contentsAtOnce) return reaped
  }
}

async function findAbandoned({ pool }: House): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'cellar-contents-abandoned',
    text: `SELECT id FROM cellar_contents AS content
      WHERE created_at < now() - $1 * interval '1 millisecond' AND NOT EXISTS (SELECT 1 FROM cellar_files WHERE content_id = content.id)
      LIMIT $2`,
    values: [abandonedAfterMs, contentsAtOnce],
  })
  return rows.map(({ id }) => id)
}
