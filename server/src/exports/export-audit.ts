import { linkMaker } from '../core/link-maker.ts'
import { operation } from '../core/operation.ts'
import { createSealedLinks } from '../core/sealed-link.ts'
import { recordAudit } from '../events/audit.ts'
import { filterInput, readFilter } from '../events/audit-log/entry.ts'
import { Type } from '../lib/schema/schema.ts'
import { hours, later } from '../lib/time/clock.ts'
import { type ExportFacility, linkHours } from './create.ts'
import { type ExportLink, exportLinkPurpose } from './link.ts'

const rights = { scope: 'meta:read', role: 'owner' } as const

export function auditExport({ vault, gatewayUrl }: ExportFacility) {
  const links = createSealedLinks<ExportLink>(vault, exportLinkPurpose)
  return operation({
    name: 'audit.export',
    title: 'Export the audit log',
    summary: 'A link to the audit log entries that match the filter, as CSV.',
    reach: 'business',
    ...rights,
    tier: 'free',
    appOnly: true,
    freshSignIn: 'The audit log is exported',
    freshFactor: 'exports',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'POST /v1/audit/exports',
    status: 201,
    input: filterInput,
    output: Type.Object({
      url: Type.String({ description: 'GET it; no token is needed.' }),
      url_until: Type.String({ description: 'ISO 8601, UTC.' }),
      file_name: Type.String(),
    }),

    async run({ business, now, origin, principal, write }, input) {
      const { user_id, connection_id, operation: name, since, until } = input
      const request = { user_id, connection_id, operation: name, since, until }
      readFilter(request)
      const file_name = `audit-${now.toISOString().slice(0, 10)}.csv`
      const end = later(now, hours(linkHours))
      const thing = { of: 'audit', filter: request } as const
      const maker = linkMaker(principal, rights)
      const link = { business_id: business.id, format: 'csv', thing, file_name, maker } as const
      const token = links.make(link, end)
      return write(async (tx) => {
        const entry = { businessId: business.id, action: 'audit.export', origin }
        await recordAudit(tx, [{ ...entry, details: {} }], now)
        const url = `${gatewayUrl}/v1/exports/${token}`
        return { url, url_until: end.toISOString(), file_name }
      })
    },
  })
}
