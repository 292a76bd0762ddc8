/** Receives files of imports and serves their refused rows, by links that need no token. */

import type { FastifyInstance } from 'fastify'
import { refuse } from '../../core/errors.ts'
import type { Hmac } from '../../core/operation.ts'
import { createSealedLinks } from '../../core/sealed-link.ts'
import { type ErrorsLink, errorsCsv, errorsLinkPurpose } from '../../imports/errors-csv.ts'
import type { ImportFacility } from '../../imports/import.ts'
import type { FileReader } from '../../imports/reader.ts'
import { findImportOf, receiveFile } from '../../imports/upload.ts'
import { markFor } from './byte-order-mark.ts'
import type { LongReads } from './long-reads.ts'
import { readUpload } from './uploads.ts'

export function registerImportFiles(
  app: FastifyInstance,
  deps: ImportFacility & { hmac: Hmac; reader: FileReader; longReads: LongReads },
): void {
  const links = createSealedLinks<ErrorsLink>(deps.vault, errorsLinkPurpose)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

    scope.route<{ Params: { key: string } }>({
      method: ['PUT', 'POST'],
      url: '/v1/imports/files/:key',
      async handler(request, reply) {
        const view = await receiveFile(deps, request.params.key, readUpload(request.raw))
        return reply.code(201).send(view)
      },
    })

    scope.get<{ Params: { token: string } }>(
      '/v1/imports/errors/:token',
      async (request, reply) => {
        const link = links.read(request.params.token, deps.clock.now())
        const importRow = link && (await findImportOf(deps.db, link))
        if (!link || !importRow) throw missing
        const marked = markFor(request, link.maker)
        return deps.longReads.answer(request, reply, {
          businessId: link.business_id,
          maker: link.maker,
          headers: {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': 'attachment; filename="errors.csv"',
            'cache-control': 'no-store',
          },
          missing,
          open: async () => marked(errorsCsv(deps, link.business_id, importRow)),
        })
      },
    )
  })
}

const missing = refuse(
  'not_found',
  'This link is invalid or has expired. Get a new one from import.get.',
)
