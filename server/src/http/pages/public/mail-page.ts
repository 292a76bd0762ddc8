/** A mail as a page of its own. */
import type { FastifyReply } from 'fastify'
import { cachingOf } from '../shared/page.ts'

/** Under a policy that runs nothing, posts nothing, and gives the mail no origin. */
export function sendMailPage(
  reply: FastifyReply,
  page: string,
  { baseUrl, keptSeconds }: { baseUrl: string; keptSeconds?: number },
): FastifyReply {
  const policy = [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline' https:",
    'font-src https:',
    `img-src data: https: ${baseUrl}/images/`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      ...cachingOf(keptSeconds),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .send(page)
}
