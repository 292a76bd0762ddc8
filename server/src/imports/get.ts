import { linkMaker } from '../core/link-maker.ts'
import { operation } from '../core/operation.ts'
import { createSealedLinks } from '../core/sealed-link.ts'
import { Type } from '../lib/schema/schema.ts'
import { hours, later } from '../lib/time/clock.ts'
import { type ErrorsLink, errorsLinkPurpose } from './errors-csv.ts'
import { byImport, findSameFile, type ImportFacility, importOf } from './import.ts'
import { fieldsOf, importFields, importIdInput, sameFile, sameFileFields } from './view.ts'

/** Long enough for a person who receives the link to open it. */
const linkHours = 1

const rights = { scope: 'audience:read', role: 'viewer' } as const

export function importGet({ vault, gatewayUrl }: ImportFacility) {
  const links = createSealedLinks<ErrorsLink>(vault, errorsLinkPurpose)
  return operation({
    name: 'import.get',
    title: 'Get an import',
    area: 'contacts',
    summary:
      'The state of an import: its dry run and column mapping, progress, result, and the refused rows as a file. Free, changes nothing.',
    reach: 'business',
    ...rights,
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/imports/:import_id',
    locate: { import_id: byImport },
    input: {
      import_id: importIdInput,
      rows: Type.Optional(Type.Boolean({ description: 'With the first 20 rows.' })),
    },
    output: Type.Object({
      ...importFields,
      ...sameFileFields,
      errors_url: Type.Optional(Type.String()),
    }),

    async run(context, { import_id, rows = false }) {
      const importRow = await importOf(context, import_id)
      const { db, business, now } = context
      const { id, sha256, counts } = importRow
      const same = sha256 && (await findSameFile(db, business.id, { id, sha256 }))
      const maker = linkMaker(context.principal, rights)
      const link = { business_id: business.id, import_id: id, maker }
      const token = links.make(link, later(now, hours(linkHours)))
      return {
        ...fieldsOf(importRow, { whole: true, rows }),
        ...sameFile(same),
        ...(counts.refused + (counts.left_out ?? 0) > 0 && {
          errors_url: `${gatewayUrl}/v1/imports/errors/${token}`,
        }),
      }
    },
  })
}
