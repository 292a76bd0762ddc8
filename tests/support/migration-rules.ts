/** What a new migration may do to large tables beside a service that works: docs/decisions/0052-migrations-at-size.md. */
import {
  batchesOf,
  effectOf,
  isOutside,
  isWhole,
  type Migration,
  outsideLine,
  statementsOf,
} from 'crier-server/lib/db/migrate.ts'

/** Their rows grow with the mails that are sent, or with the contacts: they may have 100 million. */
export const largeTables: readonly string[] = [
  'audit_entries',
  'campaign_link_people',
  'campaign_recipients',
  'consent_events',
  'contact_activity',
  'contact_past',
  'contact_search',
  'contact_tags',
  'contacts',
  'event_feed',
  'events',
  'idempotency_keys',
  'import_changes',
  'jobs',
  'link_visits',
  'message_contents',
  'message_events',
  'messages',
  'own_events',
  'sequence_entries',
  'sequence_members',
  'submissions',
  'suppressions',
  'taggings',
  'text_parts',
  'webhook_attempts',
]

/** The first migration that the rules for large tables hold for: earlier ones have landed. */
export const firstWithRules = '0122'

/** What a new migration may do to a large table without a statement of the service that waits for it. */
const allowedInside: readonly RegExp[] = [
  // Of the catalogue alone, since a constant default is kept there.
  /^alter table [\w."]+ (?:add column (?!.*(?:references|unique|primary key|generated|check|\())[^,]+(?:, (?=add column)|$))+$/,
  /^alter table [\w."]+ drop (?:column|constraint)(?: if exists)? \w+$/,
  /^alter table [\w."]+ alter (?:column )?\w+ (?:set default (?!.*\()|drop default$|drop not null$|set statistics)/,
  /^alter table [\w."]+ set \(/,
  /^alter table [\w."]+ add constraint \w+ .* not valid$/,
  /^comment on /,
  /^create statistics /,
]
const allowedOutside: readonly RegExp[] = [
  /^create (?:unique )?index concurrently if not exists \w+ on /,
  /^drop index concurrently if exists \w+$/,
  /^alter table [\w."]+ validate constraint \w+$/,
]

/** Why a new migration may not be applied beside a service with large tables; `[]` if it may. */
export function faultsOf(migration: Pick<Migration, 'name' | 'text'>): string[] {
  if (migration.name < firstWithRules) return []
  if (migration.text.startsWith('-- in batches')) return faultsOfBatches(migration)
  const outside = isOutside(migration)
  const statements = statementsOf(migration)
  const made = new Set(statements.flatMap((text) => /^create table (\w+)/i.exec(text)?.[1] ?? []))
  const changed = new Set(
    statements.flatMap((text) => {
      const table = effectOf(text)?.table ?? ''
      return largeTables.includes(table) && !made.has(table) ? [table] : []
    }),
  )
  const faults = statements.flatMap((statement) => {
    const text = statement.toLowerCase()
    if (outside) {
      if (!isWhole(statement)) {
        return [
          `${migration.name}: outside of a transaction, no ;, --, /* or $$ within: ${statement}`,
        ]
      }
      return allowedOutside.some((form) => form.test(text))
        ? []
        : [`${migration.name}: not allowed outside of a transaction: ${statement}`]
    }
    if (/\bconcurrently\b|validate constraint/.test(text)) {
      return [`${migration.name}: needs the first line "${outsideLine}": ${statement}`]
    }
    const table = largeTables.find(
      (large) => new RegExp(`\\b${large}\\b`).test(text) && !made.has(large),
    )
    const isOfTable = table !== undefined && !/^create (?:table|unlogged table)/.test(text)
    if (!isOfTable || allowedInside.some((form) => form.test(text))) return []
    return [`${migration.name}: not allowed on the large table ${table}: ${statement}`]
  })
  if (outside || changed.size < 2) return faults
  // The lock of the first is held while the second is waited for.
  const several = [...changed].join(', ')
  return [
    ...faults,
    `${migration.name}: changes several large tables in one transaction: ${several}`,
  ]
}

/** The job runs the statement again for the batch in which it was cut short, or a row that came since. */
function faultsOfBatches({ name, text }: Pick<Migration, 'name' | 'text'>): string[] {
  try {
    const batches = batchesOf({ text })
    if (!batches) return [`${name}: begins with "-- in batches of TABLE by KEY, KEY"`]
    const { table, key, statement } = batches
    const isOfTable = new RegExp(`^update ${table} `).test(statement)
    const isJoined = key.every((column) => statement.includes(`batch.${column}`))
    return isOfTable && isJoined ? [] : [`${name}: is not an update of ${table} by its whole key`]
  } catch (error) {
    return [`${name}: ${(error as Error).message}`]
  }
}
