/** The endpoint for the SMS provider: `/hooks/sms/<provider>`, for texts and for receipts. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '../../config.ts'
import { orThrow, type Refusal, refuse } from '../../core/errors.ts'
import type { HookCall, SmsHook } from '../../inbound-sms/hooks.ts'
import type { Replies } from '../../inbound-sms/inbound-sms.ts'
import type { Log } from '../../lib/process/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { boundBodies } from '../body.ts'

export interface SmsHookRoutes {
  /** The hook of SMS_URL's provider; undefined where the provider makes no calls. */
  hook: SmsHook | undefined
  /** The route of the transport. */
  route: string
  replies: Pick<Replies, 'text' | 'receipt'>
  clock: Clock
  log: Log
}

export function registerSmsHooks(app: FastifyInstance, routes: SmsHookRoutes): void {
  const { hook, route, replies, clock, log } = routes
  app.register(async (scope) => {
    boundBodies(scope, limits.smsHookBytes)
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, body),
    )
    // Twilio posts a form; Kannel puts everything in the URL.
    scope.route<{ Params: { provider: string } }>({
      method: ['GET', 'POST'],
      url: '/hooks/sms/:provider',
      // A HEAD request must not process anything.
      exposeHeadRoute: false,
      async handler(request, reply) {
        const { provider } = request.params
        if (hook?.name !== provider) throw notSetUp()
        const heard = orThrow(hook.read(callOf(request, clock.now())))
        const line = { request_id: request.id, provider, heard: heard.kind }
        if (heard.kind === 'receipt') await replies.receipt(route, heard.receipt)
        const meaning = heard.kind === 'text' ? await replies.text(route, heard.text) : undefined
        log.info(meaning === undefined ? line : { ...line, meaning }, 'sms.heard')
        const { type, body } = hook.answer
        return reply.type(type).send(body)
      },
    })
  })
}

function callOf(request: FastifyRequest, now: Date): HookCall {
  const at = request.url.indexOf('?')
  return {
    query: at < 0 ? '' : request.url.slice(at + 1),
    body: typeof request.body === 'string' ? request.body : '',
    header(name) {
      const value = request.headers[name]
      return Array.isArray(value) ? value[0] : value
    },
    now,
  }
}

function notSetUp(): Refusal {
  const text =
    'This is not the provider of SMS_URL. docs/design/sms-replies.md says what each needs.'
  return refuse('not_found', text)
}
