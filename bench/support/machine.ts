/** The machine on which the figures were measured; without it they mean nothing. */

import os from 'node:os'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'

export async function describeMachine(db: Database): Promise<string> {
  const cpus = os.cpus()
  const gigabytes = Math.round(os.totalmem() / 2 ** 30)
  const { version } = await db.one<{ version: string }>(sql`
    select current_setting('server_version') as version
  `)
  return [
    `${cpus[0]?.model.trim() ?? 'unknown CPU'}, ${cpus.length} cores, ${gigabytes} GiB`,
    `${os.type()} ${os.release()} ${os.arch()}`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${version}`,
  ].join('; ')
}
