/** Receives files of imports and serves their refused rows, by links that need no token. */

import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal, type Refusal, refuse, statusOf } from '../../core/errors.ts'
import type { Hmac } from '../../core/operation.ts'
import { createSealedLinks } from '../../core/sealed-link.ts'
import { errorsCsv } from '../../imports/errors-csv.ts'
import { type ErrorsLink, errorsLinkPurpose } from '../../imports/model/errors-link.ts'
import type { ImportFacility } from '../../imports/model/facility.ts'
import type { FileReader } from '../../imports/reading/reader.ts'
import { findImportOf, receiveFile } from '../../imports/upload/receive.ts'
import { errorBody } from '../error-body.ts'
import { readUpload } from './uploads.ts'

export function registerImportFiles(
  app: FastifyInstance,
  deps: ImportFacility & { hmac: Hmac; reader: FileReader },
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
        return isRefusal(view) ? refuseWith(request, reply, view) : reply.code(201).send(view)
      },
    })

    scope.get<{ Params: { token: string } }>(
      '/v1/imports/errors/:token',
      async (request, reply) => {
        const link = links.read(request.params.token, deps.clock.now())
        const one = link && (await findImportOf(deps.db, link))
        if (!link || !one) {
          const text = 'This link is over, or none of ours. import.get gives a new one.'
          return refuseWith(request, reply, refuse('not_found', text))
        }
        reply.headers({
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="errors.csv"',
          'cache-control': 'no-store',
        })
        return reply.send(Readable.from(errorsCsv(deps, link.business_id, one)))
      },
    )
  })
}

function refuseWith(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply.code(statusOf[refusal.code]).send(errorBody(refusal, request.id))
}
