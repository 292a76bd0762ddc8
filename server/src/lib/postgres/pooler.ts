/** A pooler between this process and the server, which gives one client another's session. */
import pg from 'pg'
import { StartError } from '../db/start-error.ts'

/** Whether there is one: it gives its clients made-up process ids. */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid !== (client as unknown as { processID: number | null }).processID
}

/**
 * `pg_dump` and `pg_restore` set the search path for their whole session. A pooler hands that session on, and the
 * service would find none of its tables.
 */
export async function refusePooler(client: pg.Client, action: string): Promise<void> {
  if (!(await isPooled(client))) return
  throw new StartError(
    `A pooler is between this machine and the server, and ${action} over it would spoil the connections of the service. Set DATABASE_DIRECT_URL to the same database without the pooler.`,
  )
}

export async function refusePooledUrl(databaseUrl: string, action: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    await refusePooler(client, action)
  } finally {
    await client.end().catch(() => {})
  }
}
