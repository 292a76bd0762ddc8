/** A person's or a program's visit of a page for recipients, and how many one network may make. */
import type { FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../core/errors.ts'
import { networkOf } from '../lib/rate-limit/attempts.ts'
import type { LocalLimit } from '../lib/rate-limit/local-limit.ts'
import type { Visit } from '../tracking/visitor.ts'

export function visitOf(request: FastifyRequest): Visit {
  const { headers, method, callerAddress } = request
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-moz']]
  const purpose = purposes.filter((entry) => entry !== undefined).join(' ')
  return { method, address: callerAddress, agent: headers['user-agent'], purpose }
}

/** Counts the visit; false once the visitor's network has made too many. */
export function countVisit(limit: LocalLimit, { address }: Visit): boolean {
  return limit.take(networkOf(address))
}

/** Counts the visit of a page that costs something, such as one that renders a mail. */
export function refuseManyVisits(limit: LocalLimit, request: FastifyRequest): Refusal | undefined {
  if (countVisit(limit, visitOf(request))) return undefined
  const text = 'Too many pages were opened from your network. Wait a minute and try again.'
  return refuse('rate_limited', text, { retryAfter: 60 })
}
