import pg from 'pg'

/** Makes a database read-only as an operator would, for the sessions that begin and those open. */
export async function setReadOnly(connection: pg.ClientConfig, readOnly: boolean): Promise<void> {
  // A session may overrule the default, or nothing could be set back.
  const options = '-c default_transaction_read_only=off'
  const client = new pg.Client({ ...connection, options })
  await client.connect()
  try {
    const name = pg.escapeIdentifier(String(client.database))
    await client.query(
      `alter database ${name} ${readOnly ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'}`,
    )
    if (!readOnly) return
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and backend_type = 'client backend'`,
    )
  } finally {
    await client.end()
  }
}
