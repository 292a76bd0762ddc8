/**
 * A failed attempt in words, with a code of the common error table (contract 11).
 */

import type { Code } from '../../core/errors.ts'
import { statusOf } from '../../core/errors.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { AttemptFailure } from './attempt.ts'

/** Both fields have the code, as in every error body. */
export const lastError = Type.Object({
  code: Type.String(),
  error: Type.String(),
  message: Type.String(),
})

interface Failed {
  failure: AttemptFailure
  status: number | null
}

export function errorOf({ failure, status }: Failed) {
  const code = failure === 'status' ? codeOf(status ?? 0) : codes[failure]
  return { code, error: code, message: messageOf({ failure, status }) }
}

const codes: Record<Exclude<AttemptFailure, 'status'>, Code> = {
  forbidden: 'invalid_request',
  redirect: 'invalid_request',
  dns: 'unavailable',
  connection: 'unavailable',
  tls: 'unavailable',
  protocol: 'unavailable',
  timeout: 'unavailable',
  expired: 'gone',
  erased: 'erased',
}

const byStatus: Partial<Record<number, Code>> = {
  401: 'unauthorized',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  410: 'gone',
  413: 'too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  500: 'internal',
}

function codeOf(status: number): Code {
  const code = byStatus[status]
  if (code !== undefined && statusOf[code] === status) return code
  return status < 500 ? 'invalid_request' : 'unavailable'
}

function messageOf({ failure, status }: Failed): string {
  switch (failure) {
    case 'status':
      return `The receiver answered ${status}. Anything but 2xx counts as a failure.`
    case 'redirect':
      return `The receiver answered ${status}, a redirect, and none is followed. Save the webhook with the final URL.`
    case 'timeout':
      return 'The receiver did not answer within 5 seconds. Answer first, and work on the event afterwards.'
    case 'dns':
      return 'The host of the URL has no address in DNS. Check its spelling and its records.'
    case 'connection':
      return 'The connection was refused or broke off. Check that the receiver listens at the URL.'
    case 'tls':
      return 'No safe connection came about. Check the certificate: its names, its dates and its chain.'
    case 'protocol':
      return 'What the receiver sent is not HTTP.'
    case 'forbidden':
      return 'The URL leads to an address that is not public, and nothing was sent there. Save the webhook with one that is.'
    case 'expired':
      return 'The event is older than the 30 days that events are kept.'
    case 'erased':
      return 'The event was about a person who was erased, and nothing was sent.'
  }
}
