/** Statements that read the consent ledger, to which `contacts/record.ts` adds: nothing changes a row. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { ConsentBasis, ConsentBox, ConsentStatus, ConsentSubject } from '../contact.ts'

export interface Consent {
  channel: ConsentSubject
  topic: string | null
  action: ConsentStatus
  source: string
  text: string | null
  basis: ConsentBasis | null
  saidAt: Date | null
  page: string | null
  formVersion: number | null
  box: ConsentBox | null
  ip: string | null
  agent: string | null
  connectionId: Id<'connection'> | null
  createdAt: Date
  /** The confirmation by mail through which the person agreed; null if there was none. */
  confirmationId: Id<'confirmation'> | null
  mailedAt: Date | null
  confirmedAt: Date | null
  confirmedIp: string | null
  confirmedAgent: string | null
}

/** Lists the entries of all subjects, newest first. */
export function listConsents(
  db: Db,
  businessId: Id<'business'>,
  contactId: Id<'contact'>,
  limit: number,
): Promise<Consent[]> {
  return db.all(sql`
    select e.channel, e.topic, e.action, e.source, e.text, e.basis, e.said_at as "saidAt", e.page,
      e.form_version as "formVersion", e.box, host(e.ip) as ip, e.agent,
      e.connection_id as "connectionId", e.created_at as "createdAt",
      e.confirmation_id as "confirmationId", f.mailed_at as "mailedAt",
      f.confirmed_at as "confirmedAt", host(f.confirmed_ip) as "confirmedIp",
      f.confirmed_agent as "confirmedAgent"
    from consent_events e
    left join confirmations f on f.business_id = ${businessId} and f.id = e.confirmation_id
    where e.business_id = ${businessId} and e.contact_id = ${contactId}
    order by e.id desc limit ${limit}
  `)
}
