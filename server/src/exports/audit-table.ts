/** Entries of the audit log as rows of named cells. */

import { formatId, type Id } from '../core/ids.ts'
import type { AuditFilter } from '../events/audit-log/entry.ts'
import { exportEntries } from '../events/audit-log/export.ts'
import type { Db } from '../lib/db/types.ts'
import type { Row, Table } from './tables.ts'

const columns = [
  'created_at',
  'operation',
  'person',
  'user_id',
  'connection',
  'connection_id',
  'subject',
  'details',
  'request_id',
  'entry_id',
]

export function auditTable(db: Db, businessId: Id<'business'>, filter: AuditFilter): Table {
  return { columns, pages: entryPages(db, businessId, filter) }
}

async function* entryPages(
  db: Db,
  businessId: Id<'business'>,
  filter: AuditFilter,
): AsyncGenerator<Row[]> {
  for await (const page of exportEntries(db, businessId, filter)) {
    yield page.map((entry) => ({
      created_at: entry.createdAt.toISOString(),
      operation: entry.action,
      person: entry.email,
      user_id: entry.userId && formatId('user', entry.userId),
      connection: entry.connectionName,
      connection_id: entry.connectionId && formatId('connection', entry.connectionId),
      subject: entry.subject,
      details: JSON.stringify(entry.details),
      request_id: entry.callId && formatId('request', entry.callId),
      entry_id: formatId('audit', entry.id),
    }))
  }
}
