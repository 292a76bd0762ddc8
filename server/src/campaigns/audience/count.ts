import type { Filter } from '../../contacts/filters/filter.ts'
import { wholeFilters } from '../../contacts/segments/fits.ts'
import { markAddresses } from '../../contacts/suppressions/hash-addresses.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import { quietUntil } from '../../lib/phone/quiet-hours.ts'
import {
  type AudienceAsked,
  countAudience,
  countBits,
  countByPrefix,
  type Exclusion,
  rangeEnd,
} from './audience.ts'

export interface AudienceCount {
  recipients: number
  /** By reason, most frequent first. */
  excluded: { reason: Exclusion; count: number }[]
  /** Recipients by the language of the contact, if that was asked for. */
  languages: { language: string | null; count: number }[]
  /** How many of the recipients must not be texted now and are deferred. */
  deferred: number
}

/** Contacts that one statement covers, so that its sort fits into memory. */
const perStatement = 50_000

/** Counts exactly how many get the campaign now, and how many of the audience do not, and why. */
export async function countRecipients(
  db: Db,
  hmac: Hmac,
  audienceQuery: Omit<AudienceAsked, 'range'> & { byLanguage?: boolean },
): Promise<AudienceCount> {
  await markAddresses(db, hmac, audienceQuery.businessId)
  const counts = new Map<Exclusion, number>()
  const languages = new Map<string | null, number>()
  let recipients = 0
  let onHold = 0
  let after: Id<'contact'> | null = null
  for (;;) {
    const end: { id: Id<'contact'> } | undefined = await rangeEnd(db, audienceQuery.businessId, {
      after,
      size: perStatement,
    })
    const range = { after, upTo: end?.id ?? null }
    const quota = audienceQuery.quota === null ? null : audienceQuery.quota - recipients
    for (const { reason, language, count } of await countAudience(db, {
      ...audienceQuery,
      range,
      quota,
    })) {
      if (reason === null) {
        recipients += count
        languages.set(language, (languages.get(language) ?? 0) + count)
      } else counts.set(reason, (counts.get(reason) ?? 0) + count)
    }
    if (audienceQuery.channel === 'sms')
      onHold += await heldIn(db, { ...audienceQuery, range, quota })
    if (!end) break
    after = end.id
  }
  const excluded = [...counts].map(([reason, count]) => ({ reason, count }))
  const byLanguage = [...languages].map(([language, count]) => ({ language, count }))
  return {
    recipients,
    deferred: onHold,
    languages: byLanguage,
    excluded: excluded.sort((a, b) => b.count - a.count),
  }
}

/** How many recipients fit exactly which of the filters, by the bits of these. */
export async function countByFilters(
  db: Db,
  { filters, ...request }: Omit<AudienceAsked, 'range'> & { filters: readonly Filter[] },
): Promise<Map<number, number>> {
  const { businessId } = request
  const whole = await wholeFilters(db, businessId, filters)
  const counts = new Map<number, number>()
  let after: Id<'contact'> | null = null
  for (;;) {
    const end: { id: Id<'contact'> } | undefined = await rangeEnd(db, businessId, {
      after,
      size: perStatement,
    })
    const range = { after, upTo: end?.id ?? null }
    for (const { bits, count } of await countBits(db, { ...request, range }, whole)) {
      counts.set(bits, (counts.get(bits) ?? 0) + count)
    }
    if (!end) return counts
    after = end.id
  }
}

/** How many of a range's recipients must not be texted now: they are deferred, not left out. */
async function heldIn(db: Db, audienceQuery: AudienceAsked): Promise<number> {
  const groups = await countByPrefix(db, audienceQuery)
  return groups
    .filter(
      ({ number, zone }) => quietUntil(number, zone ?? undefined, audienceQuery.now) !== undefined,
    )
    .reduce((sum, { count }) => sum + count, 0)
}
