/** Serves exports by links that need no token. */

import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal, type Refusal, refuse, statusOf } from '../../core/errors.ts'
import { createSealedLinks } from '../../core/sealed-link.ts'
import { type ExportLink, exportLinkPurpose } from '../../exports/link.ts'
import { streamExport } from '../../exports/stream.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { errorBody } from '../error-body.ts'

export interface ExportFilesDeps {
  db: Db
  clock: Clock
  vault: Vault
}

const types = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

export function registerExportFiles(app: FastifyInstance, deps: ExportFilesDeps): void {
  const { db, clock, vault } = deps
  const links = createSealedLinks<ExportLink>(vault, exportLinkPurpose)
  app.get<{ Params: { token: string } }>('/v1/exports/:token', async (request, reply) => {
    const now = clock.now()
    const link = links.read(request.params.token, now)
    if (!link) {
      const text = 'This link is over, or none of ours. export.create gives a new one.'
      return refuseWith(request, reply, refuse('not_found', text))
    }
    const made = await streamExport({ db, hmac: vault.hmac, now }, link)
    if (isRefusal(made)) return refuseWith(request, reply, made)
    reply.headers({
      'content-type': types[link.format],
      'content-disposition': `attachment; filename="${link.file_name}"`,
      'cache-control': 'no-store',
    })
    return reply.send(Readable.from(made))
  })
}

function refuseWith(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply.code(statusOf[refusal.code]).send(errorBody(refusal, request.id))
}
