/** The data that `contacts` holds about one person. */

import { suppressionsOf } from '../suppressions/suppression.ts'
import type { ExportedPerson, PersonPart } from './person-part.ts'
import {
  activityRows,
  confirmationRows,
  consentRows,
  contactRow,
  formerRows,
  ownEventRows,
} from './person-queries.ts'

const whose = ({ businessId, contact }: ExportedPerson) => ({ businessId, id: contact.id })

export const contactPersonParts: readonly PersonPart[] = [
  {
    name: 'contact',
    tables: ['contacts'],
    page: async (db, person, { after }) => (after === '' ? contactRow(db, whose(person)) : []),
  },
  {
    name: 'former_contacts',
    tables: ['former_contacts'],
    page: (db, person, page) => formerRows(db, whose(person), page),
  },
  {
    name: 'consents',
    tables: ['consent_events'],
    page: (db, person, page) => consentRows(db, whose(person), page),
  },
  {
    name: 'confirmations',
    tables: ['confirmations'],
    page: (db, person, page) => confirmationRows(db, whose(person), page),
  },
  {
    name: 'suppressions',
    tables: ['suppressions'],
    async page(db, { businessId, contact, hmac }, { after }) {
      if (after !== '') return []
      const found = await suppressionsOf(db, hmac, businessId, contact)
      return found.map(({ channel, reason, source, createdAt }) => ({
        key: channel,
        row: { channel, reason, source, created_at: createdAt },
      }))
    },
  },
  {
    name: 'timeline',
    tables: ['contact_activity'],
    page: (db, person, page) => activityRows(db, whose(person), page),
  },
  {
    name: 'own_events',
    tables: ['own_events'],
    page: (db, person, page) => ownEventRows(db, whose(person), page),
  },
]
