import type { Id } from '../../core/ids.ts'
import { replanned } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { ConsentStatus, ContactValues } from '../contact.ts'
import { changeableColumns } from '../rows.ts'

export interface ChangedContact extends ContactValues {
  id: Id<'contact'>
  updatedAt: Date
  /** Whether the contact did something, or something was sent to it. */
  hasHistory: boolean
}

type Row = Omit<ChangedContact, 'consent'> & {
  email_consent: ConsentStatus
  sms_consent: ConsentStatus
  tracking_consent: ConsentStatus
}

/** Locks the contacts in the order of their ids. */
export async function lockChanged(
  tx: Tx,
  businessId: Id<'business'>,
  ids: readonly Id<'contact'>[],
): Promise<ChangedContact[]> {
  const rows = await tx.all<Row>(
    replanned(sqlWithin`
      select c.id, ${changeableColumns}, c.updated_at as "updatedAt", exists (
        select from contact_activity a where a.business_id = ${businessId}
          and a.contact_id = c.id and a.type <> 'contact.updated'
      ) or exists (
        select from own_events o where o.business_id = ${businessId} and o.contact_id = c.id
      ) as "hasHistory"
      from contacts c where c.business_id = ${businessId} and c.id = any(${ids}::uuid[])
      order by c.id for no key update of c
    `),
  )
  return rows.map(
    ({ email_consent: email, sms_consent: sms, tracking_consent: tracking, ...row }) => {
      return { ...row, consent: { email, sms, tracking } }
    },
  )
}
