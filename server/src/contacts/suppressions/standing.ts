/**
 * Whether a person can be written to, in one word for each channel: their consent, unless their address
 * is suppressed. Somebody whose mail bounced or who complained is no subscriber, whatever they once
 * agreed to.
 */
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { byteStrings, joined, sql, sqlWithin, texts } from '../../lib/db/db.ts'
import type { Db, Sql } from '../../lib/db/types.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { type Channel, type Contact, channels, consentStatuses } from '../contact.ts'
import { markOf, type SuppressionReason } from './suppression.ts'

export const standings = [
  ...consentStatuses,
  'bounced',
  'complained',
  'stopped',
  'suppressed',
] as const
const standing = Type.Enum(standings)
export type Standing = Static<typeof standing>

export const standingView = Type.Object({ email: standing, sms: standing })

const bySuppression: Readonly<Record<SuppressionReason, Standing>> = {
  bounce: 'bounced',
  complaint: 'complained',
  stop: 'stopped',
  manual: 'suppressed',
  erased: 'suppressed',
  unsubscribed: 'unsubscribed',
}

export function standingOf(
  { consent }: Pick<Contact, 'consent'>,
  suppressions: readonly { channel: Channel; reason: SuppressionReason }[],
): Static<typeof standingView> {
  const on = (channel: Channel): Standing => {
    const suppression = suppressions.find((entry) => entry.channel === channel)
    return suppression ? bySuppression[suppression.reason] : consent[channel]
  }
  return { email: on('email'), sms: on('sms') }
}

/** The same as a condition on rows `c`, whose address hashes are up to date (`markAddresses`). */
export function standingClause(
  businessId: Id<'business'>,
  { standing: channel, is }: { standing: Channel; is: Standing },
): Sql {
  const [mark, consent] =
    channel === 'email'
      ? [sql`c.email_mark`, sql`c.email_consent`]
      : [sql`c.phone_mark`, sql`c.sms_consent`]
  const suppression = sqlWithin`select from suppressions s
    where s.business_id = ${businessId} and s.channel = ${channel} and s.address_hmac = ${mark}`
  const reasons = Object.entries(bySuppression).flatMap(([reason, state]) =>
    state === is ? [reason] : [],
  )
  const clauses = [
    ...(reasons.length > 0
      ? [sqlWithin`exists (${suppression} and s.reason = any (${reasons}::text[]))`]
      : []),
    ...(consentStatuses.some((status) => status === is)
      ? [sqlWithin`(${consent} = ${is}::text and not exists (${suppression}))`]
      : []),
  ]
  return sqlWithin`(${joined(clauses, 'or')})`
}

/** Reads the suppressions of many contacts' addresses at once. */
export async function standingsOf(
  db: Db,
  hmac: Hmac,
  businessId: Id<'business'>,
  contacts: readonly Pick<Contact, 'id' | 'email' | 'phone' | 'consent'>[],
): Promise<Map<Id<'contact'>, Static<typeof standingView>>> {
  const addresses = contacts.flatMap(({ id, email, phone }) =>
    channels.flatMap((channel) => {
      const address = channel === 'email' ? email : phone
      return address === null ? [] : [{ id, channel, mark: markOf(hmac, businessId, address) }]
    }),
  )
  const suppressed = addresses.length === 0 ? [] : await findReasons(db, businessId, addresses)
  const reasons = new Map(
    suppressed.map(({ channel, mark, reason }) => [keyOf(channel, mark), reason]),
  )
  const byContact = Map.groupBy(addresses, ({ id }) => id)
  return new Map(
    contacts.map((contact) => {
      const own = (byContact.get(contact.id) ?? []).flatMap(({ channel, mark }) => {
        const reason = reasons.get(keyOf(channel, mark))
        return reason ? [{ channel, reason }] : []
      })
      return [contact.id, standingOf(contact, own)]
    }),
  )
}

const keyOf = (channel: Channel, mark: Buffer) => `${channel} ${mark.toString('base64')}`

function findReasons(
  db: Db,
  businessId: Id<'business'>,
  addresses: readonly { channel: Channel; mark: Buffer }[],
): Promise<{ channel: Channel; mark: Buffer; reason: SuppressionReason }[]> {
  return db.all(sql`
    select s.channel, s.address_hmac as mark, s.reason
    from unnest(
      ${texts(addresses.map(({ channel }) => channel))}::text[],
      ${byteStrings(addresses.map(({ mark }) => mark))}::bytea[]
    ) as address (channel, mark)
    join suppressions s on s.business_id = ${businessId} and s.channel = address.channel
      and s.address_hmac = address.mark
  `)
}
