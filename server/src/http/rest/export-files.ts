/** Serves exports by links that need no token. */

import type { FastifyInstance } from 'fastify'
import { refuse } from '../../core/errors.ts'
import { createSealedLinks } from '../../core/sealed-link.ts'
import { type ExportLink, exportLinkPurpose } from '../../exports/link.ts'
import { streamExport } from '../../exports/stream.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { markFor } from './byte-order-mark.ts'
import type { LongReads } from './long-reads.ts'

export interface ExportFilesDeps {
  db: Db
  clock: Clock
  vault: Vault
  longReads: LongReads
}

const types = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

export function registerExportFiles(app: FastifyInstance, deps: ExportFilesDeps): void {
  const { db, clock, vault, longReads } = deps
  const links = createSealedLinks<ExportLink>(vault, exportLinkPurpose)
  app.get<{ Params: { token: string } }>('/v1/exports/:token', async (request, reply) => {
    const now = clock.now()
    const link = links.read(request.params.token, now)
    if (!link) throw missing
    const marked = link.format === 'csv' ? markFor(request, link.maker) : undefined
    const open = () => streamExport({ db, hmac: vault.hmac, now }, link)
    return longReads.answer(request, reply, {
      businessId: link.business_id,
      maker: link.maker,
      headers: {
        'content-type': types[link.format],
        'content-disposition': `attachment; filename="${link.file_name}"`,
        'cache-control': 'no-store',
      },
      missing,
      open: marked ? async () => marked(await open()) : open,
    })
  })
}

const missing = refuse(
  'not_found',
  'This link is invalid or has expired. Get a new one from export.create.',
)
