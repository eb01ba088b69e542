import type { House } from '../house.ts'

const atOnce = 500

/** Removes browser jobs that ended so long ago that nobody reads them any more. */
export async function reapBrowserJobs({ pool }: House): Promise<void> {
  await pool.query({
    name: 'reap-browser-jobs',
    text: 'DELETE FROM browser_jobs WHERE id IN (SELECT id FROM browser_jobs WHERE expires_at < now() ORDER BY expires_at LIMIT $1)',
    values: [atOnce],
  })
}
