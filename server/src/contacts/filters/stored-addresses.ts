/**
 * Whether fields that conditions may compare in part hold addresses or numbers of people, as names
 * and answers sometimes do: connections that see people masked compare these as a whole.
 */
import type { Id } from '../../core/ids.ts'
import { addressPattern } from '../../core/masking.ts'
import { isGivenUp, sql, sqlWithin, within } from '../../lib/db/db.ts'
import type { Db, Sql } from '../../lib/db/types.ts'
import { seconds } from '../../lib/time/clock.ts'
import { attributeKey } from './filter.ts'

const columns: Readonly<Record<string, Sql>> = {
  name: sql`c.name`,
  first_name: sql`c.first_name`,
  last_name: sql`c.last_name`,
  external_id: sql`c.external_id`,
  source: sql`c.source`,
}

/** A field that a condition compares in part. */
export interface ComparedField {
  field: string
  /** Whether it is compared as a number, so that texts do not matter. */
  isNumber: boolean
}

/** Days, perhaps with a time, which are no numbers of people however many digits they have. */
const timePattern =
  '(?<![0-9])((19|20)[0-9]{2}([-./])(0?[1-9]|1[0-2])\\3(0?[1-9]|[12][0-9]|3[01])|(0?[1-9]|[12][0-9]|3[01])([-./])(0?[1-9]|1[0-2])\\7(19|20)[0-9]{2})(?![0-9])([ T]?[0-2]?[0-9][:.][0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?(?![0-9]))?'
/** Whole numbers as long as those that can be dialled, without the moments of clocks: 1764500000. */
const numberPattern = '^(1[0-9]{10}|[2-9][0-9]{9,14})([.]0*)?$'

/** How long the contacts of a business are read for one call. */
const patienceMs = seconds(5)

/** The first of the fields that holds an address or a number, or may hold one: it took too long. */
export async function findAddressField<T extends ComparedField>(
  db: Db,
  businessId: Id<'business'>,
  fields: readonly T[],
): Promise<T | undefined> {
  const end = performance.now() + patienceMs
  for (const compared of fields)
    if (await isFound(db, businessId, { compared, end })) return compared
  return undefined
}

async function isFound(
  db: Db,
  businessId: Id<'business'>,
  { compared: { field, isNumber }, end }: { compared: ComparedField; end: number },
): Promise<boolean> {
  const key = attributeKey(field)
  const column = key === undefined ? columns[field] : sql`c.attributes ->> ${key}`
  if (!column) return false
  const holds = isNumber
    ? sqlWithin`${column} ~ ${numberPattern}`
    : sqlWithin`regexp_replace(${column}, ${timePattern}, 'T', 'g') ~ ${addressPattern}`
  const statement = sqlWithin`
    select exists (
      select from contacts c where c.business_id = ${businessId} and ${holds}
    ) as "isHeld"
  `
  try {
    const leftMs = Math.max(1, Math.ceil(end - performance.now()))
    const { isHeld } = await db.one<{ isHeld: boolean }>(within(leftMs, statement))
    return isHeld
  } catch (error) {
    if (isGivenUp(error)) return true
    throw error
  }
}
