import { contactIdInput, noSuchContact } from '../contacts/contact.ts'
import { readContact } from '../contacts/find.ts'
import { parseId } from '../core/ids.ts'
import { linkMaker } from '../core/link-maker.ts'
import { operation } from '../core/operation.ts'
import { createSealedLinks } from '../core/sealed-link.ts'
import { checkTakesDataOut } from '../core/taking-out.ts'
import { recordAudit } from '../events/audit.ts'
import { Type } from '../lib/schema/schema.ts'
import { hours, later } from '../lib/time/clock.ts'
import { type ExportFacility, linkHours } from './create.ts'
import { type ExportLink, exportLinkPurpose } from './link.ts'

const rights = { scope: 'audience:read', role: 'admin' } as const

export function contactExport({ vault, gatewayUrl }: ExportFacility) {
  const links = createSealedLinks<ExportLink>(vault, exportLinkPurpose)
  return operation({
    name: 'contact.export',
    title: 'Export one person',
    area: 'contacts',
    summary:
      'A link to all data about one person, as JSON: fields, consent with its evidence, messages, answers, events. For a data access request (GDPR article 15). Valid for an hour, without a token.',
    reach: 'business',
    ...rights,
    tier: 'free',
    freshSignIn: 'Data is exported',
    freshFactor: 'exports',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'POST /v1/contacts/:contact_id/export',
    status: 201,
    input: { contact_id: contactIdInput },
    output: Type.Object({
      url: Type.String({ description: 'GET it; no token is needed.' }),
      url_until: Type.String({ description: 'ISO 8601, UTC.' }),
      file_name: Type.String(),
    }),

    async run(context, { contact_id }) {
      const { db, business, now, origin, principal, write } = context
      const id = parseId('contact', contact_id)
      const contact = id && (await readContact(db, business.id, id))
      if (!contact) throw noSuchContact(contact_id)
      checkTakesDataOut(context, { action: 'An export', page: `/contacts/${contact_id}` })
      const file_name = `${contact_id}-${now.toISOString().slice(0, 10)}.json`
      const until = later(now, hours(linkHours))
      const thing = { of: 'person', contact_id: contact.id } as const
      const token = links.make(
        {
          business_id: business.id,
          format: 'json',
          thing,
          file_name,
          maker: linkMaker(principal, rights),
        },
        until,
      )
      return write(async (tx) => {
        const entry = { businessId: business.id, action: 'contact.export', origin }
        await recordAudit(tx, [{ ...entry, subject: contact_id, details: {} }], now)
        const url = `${gatewayUrl}/v1/exports/${token}`
        return { url, url_until: until.toISOString(), file_name }
      })
    },
  })
}
