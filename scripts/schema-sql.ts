/** server/schema.sql: the schema of a database after every migration. */
import { openDatabase } from 'crier-server/lib/db/db.ts'
import { migrate } from 'crier-server/lib/db/migrate.ts'
import { schemaText } from 'crier-server/lib/db/schema-text.ts'
import { throwawayServer } from '../tests/support/postgres/throwaway-server.ts'

const heading =
  '-- The schema after every migration, printed by `npm run generate`. Change it by a migration.\n\n'

export async function schemaSql(): Promise<string> {
  const server = await throwawayServer()
  try {
    await migrate(server.connection)
    const db = openDatabase({ connection: server.connection, poolSize: 4 })
    const text = await schemaText(db)
    await db.end()
    return heading + text
  } finally {
    await server.stop()
  }
}
