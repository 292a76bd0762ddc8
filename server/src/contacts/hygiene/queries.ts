/** Statements that find addresses that are probably wrong. */

import type { Id } from '../../core/ids.ts'
import { sql, within } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

/** How many of the newest contacts are read, and the time limit of each statement. */
interface Span {
  newest: number
  patienceMs: number
}

export interface DomainCount {
  domain: string
  contacts: number
}

/** Counts the contacts of each email domain, most contacts first. */
export function countDomains(
  db: Db,
  businessId: Id<'business'>,
  { newest, patienceMs }: Span,
): Promise<DomainCount[]> {
  return db.all(
    within(
      patienceMs,
      sql`
        select split_part(email, '@', 2) as domain, count(*) as contacts
        from (
          select email from contacts where business_id = ${businessId}
          order by id desc limit ${newest}
        ) as newest
        where email is not null
        group by domain order by contacts desc, domain
      `,
    ),
  )
}

export interface AddressCounts {
  read: number
  emails: number
  /** Contacts whose address is that of a role, such as info@. */
  roles: number
  subscribed: number
  /** Subscribed contacts without stored words of their consent and without an IP address. */
  withoutEvidence: number
}

export function countAddresses(
  db: Db,
  businessId: Id<'business'>,
  { newest, patienceMs, roles }: Span & { roles: readonly string[] },
): Promise<AddressCounts> {
  return db.one(
    within(
      patienceMs,
      sql`
        select count(*) as read, count(email) as emails,
          count(*) filter (where split_part(email, '@', 1) = any(${roles}::text[])) as roles,
          count(*) filter (where email_consent = 'subscribed') as subscribed,
          count(*) filter (where email_consent = 'subscribed' and not exists (
            select from consent_events e
            where e.business_id = ${businessId} and e.contact_id = c.id and e.channel = 'email'
              and e.action = 'subscribed' and (e.text is not null or e.ip is not null)
          )) as "withoutEvidence"
        from (
          select id, email, email_consent from contacts where business_id = ${businessId}
          order by id desc limit ${newest}
        ) as c
      `,
    ),
  )
}
