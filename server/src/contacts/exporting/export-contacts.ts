/** Exports an audience contact by contact, each with its consents and their evidence. */

import type { Id } from '../../core/ids.ts'
import type { Db, Sql } from '../../lib/db/types.ts'
import type { ConsentSubject, Contact } from '../contact.ts'
import {
  type AttributeKind,
  attributeKinds,
  contactsAfter,
  contactsByIds,
  type KnownContact,
  type LastConsent,
  lastConsents,
} from './queries.ts'

export type { AttributeKind, LastConsent } from './queries.ts'

export interface ExportedContact extends Contact {
  /** The last ledger entry of each consent; absent if there is none. */
  evidence: Partial<Record<ConsentSubject, LastConsent>>
}

const perPage = 1_000

export async function* exportContacts(
  db: Db,
  businessId: Id<'business'>,
  where: Sql,
): AsyncGenerator<ExportedContact[]> {
  for (let after: Id<'contact'> | null = null; ; ) {
    const contacts: Contact[] = await contactsAfter(db, businessId, {
      where,
      after,
      limit: perPage,
    })
    if (contacts.length === 0) return
    const ids = contacts.map(({ id }) => id)
    const said = Map.groupBy(
      await lastConsents(db, businessId, ids),
      (lastConsent) => lastConsent.contactId,
    )
    yield contacts.map((contact) => {
      const evidence = (said.get(contact.id) ?? []).map((row) => [row.channel, row])
      return { ...contact, evidence: Object.fromEntries(evidence) }
    })
    after = ids.at(-1) ?? null
  }
}

export function kindsOfAttributes(
  db: Db,
  businessId: Id<'business'>,
  { where, limit }: { where: Sql; limit: number },
): Promise<AttributeKind[]> {
  return attributeKinds(db, businessId, { where, limit })
}

/** The people's current data; erased contacts are left out. */
export async function peopleByIds(
  db: Db,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<ReadonlyMap<Id<'contact'>, KnownContact>> {
  const found = await contactsByIds(db, businessId, contactIds)
  return new Map(found.map((contact) => [contact.id, contact]))
}
