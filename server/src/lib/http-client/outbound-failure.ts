import { errors } from 'undici'
import type { Refusal } from '../schema/refusal.ts'
import { ForbiddenAddress } from './outbound-connect.ts'

export type FailureReason = 'forbidden' | 'dns' | 'connection' | 'tls' | 'protocol' | 'timeout'

/** The reason why no response came. Such failures are expected: the remote server is not ours. */
export interface OutboundFailure {
  outcome: 'failed'
  reason: FailureReason
  /** The code of the error, such as ECONNREFUSED. */
  code: string
  /** For `forbidden`: the explanation for the person who entered the URL. */
  refusal?: Refusal
}

// `EAI_*` and ENOTFOUND come from getaddrinfo, the others from our own resolver.
const dnsCodes = /^(EAI_|ENOTFOUND$|ENODATA$|ESERVFAIL$|EREFUSED$|ETIMEOUT$)/
const tlsCodes = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO$)/
const timeoutCodes = /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/
const protocolCodes = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_)/

/** Interprets an error as a failure of the remote server. Throws a bug again. */
export function failureOf(error: unknown): OutboundFailure {
  if (error instanceof ForbiddenAddress) {
    const { refusal } = error
    return { outcome: 'failed', reason: 'forbidden', code: refusal.code, refusal }
  }
  if (error instanceof errors.HTTPParserError) return failed('protocol', error.name)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code !== 'string' || error instanceof errors.InvalidArgumentError) throw error
  if (dnsCodes.test(code)) return failed('dns', code)
  if (tlsCodes.test(code)) return failed('tls', code)
  if (timeoutCodes.test(code)) return failed('timeout', code)
  if (protocolCodes.test(code)) return failed('protocol', code)
  return failed('connection', code)
}

export function failed(reason: FailureReason, code: string): OutboundFailure {
  return { outcome: 'failed', reason, code }
}
