/**
 * Whether a field that a condition may compare in part holds addresses or numbers of people, as names
 * and answers sometimes do: connections that see people masked compare it as a whole.
 */
import type { Id } from '../../core/ids.ts'
import { addressPattern } from '../../core/masking.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Sql } from '../../lib/db/types.ts'
import { attributeKey } from './filter.ts'

const columns: Readonly<Record<string, Sql>> = {
  name: sql`c.name`,
  first_name: sql`c.first_name`,
  last_name: sql`c.last_name`,
  external_id: sql`c.external_id`,
  source: sql`c.source`,
}

export async function holdsAddresses(
  db: Db,
  businessIds: readonly Id<'business'>[],
  field: string,
): Promise<boolean> {
  const key = attributeKey(field)
  const column = key === undefined ? columns[field] : sql`c.attributes ->> ${key}`
  if (!column) return false
  const { isHeld } = await db.one<{ isHeld: boolean }>(sqlWithin`
    select exists (
      select from contacts c
      where c.business_id = any(${businessIds}::uuid[]) and ${column} ~ ${addressPattern}
    ) as "isHeld"
  `)
  return isHeld
}
