/** A marketing mail in its recipient's browser. The link in the mail leads here. */
import type { FastifyInstance } from 'fastify'
import { isRefusal, orRefusal, refuse } from '../../../core/errors.ts'
import type { Vault } from '../../../lib/crypto/vault.ts'
import type { LocalLimit } from '../../../lib/rate-limit/local-limit.ts'
import type { ViewDeps } from '../../../messages/view-mail.ts'
import { readViewToken } from '../../../tracking/tokens.ts'
import { refuseManyVisits } from '../../caller-address.ts'
import { sendRecipientError } from './recipient-page.ts'

export interface MailViewParts extends ViewDeps {
  vault: Pick<Vault, 'hmac'>
  /** Limits the visits from one network, since each renders a mail. */
  visitLimit: LocalLimit
  baseUrl: string
}

const brokenLink =
  'It may have been cut off when it was copied. Open the email again and press the link in it.'

export function registerMailView(app: FastifyInstance, parts: MailViewParts): void {
  const loaded = () => import('./mail-view-page.ts')
  app.get('/v/test', async (_request, reply) => (await loaded()).sendOfTest(reply))

  app.get<{ Params: { token: string } }>('/v/:token', async (request, reply) => {
    const tooMany = refuseManyVisits(parts.visitLimit, request)
    if (tooMany) return sendRecipientError(reply, request, tooMany)
    const tokenSubject = readViewToken(parts.vault, request.params.token)
    if (!tokenSubject) return sendRecipientError(reply, request, refuse('not_found', brokenLink))
    const { viewMail } = await import('../../../messages/view-mail.ts')
    const acceptLanguage = request.headers['accept-language']
    const viewed = await orRefusal(() => viewMail(parts, { ...tokenSubject, acceptLanguage }))
    if (isRefusal(viewed)) return sendRecipientError(reply, request, viewed)
    return (await loaded()).sendViewed(reply, viewed, parts.baseUrl)
  })
}
