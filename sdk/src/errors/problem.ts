/**
 * Reads the error from any response body of a Crier server: flat bodies,
 * OAuth bodies (RFC 6749 section 5.2), JSON-RPC errors and refused tool results.
 */
import { CrierError, type Fix, type Problem, serverCodes } from './error.ts'
import { secondsToWait } from './retry-after.ts'

type Fields = Record<string, unknown>

/** JSON-RPC 2.0 section 5.1 and the numbers of the tool-call protocol. */
const rpcCodes = new Map<unknown, string>([
  [-32700, 'invalid_request'],
  [-32600, 'invalid_request'],
  [-32601, 'not_found'],
  [-32602, 'invalid_request'],
  [-32603, 'internal'],
])

const statusCodes = new Map<number, string>([
  [400, 'invalid_request'],
  [401, 'unauthorized'],
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [409, 'conflict'],
  [410, 'gone'],
  [413, 'too_large'],
  [415, 'unsupported_media_type'],
  [429, 'rate_limited'],
  [408, 'timeout'],
  [502, 'unavailable'],
  [503, 'unavailable'],
  [504, 'unavailable'],
])

const ours: ReadonlySet<unknown> = new Set(serverCodes)
const isOurs = (value: unknown): value is string => ours.has(value)

/** Whether the text may be a code of a newer server, unlike a framework's prose such as "Not Found". */
const looksLikeCode = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z][a-z0-9_]*$/.test(value)

/** Keys that have a property of their own in a {@link CrierError}. */
const placed = new Set(
  'code error message messsage error_description field fix request_id retry_after'.split(' '),
)

/** A response, as far as errors are concerned. */
export interface Failed {
  status: number
  headers: Headers
  body: unknown
}

/** The error of an HTTP response. `now`, in milliseconds, is for dates in `Retry-After`. */
export function errorFrom(answer: Failed, now: number): CrierError {
  const body = asFields(answer.body)
  const rpc = asFields(body['error'])
  const problem = Object.keys(rpc).length > 0 ? rpcProblem(rpc) : flatProblem(body)
  const retryAfter = secondsToWait(answer.headers.get('retry-after'), now)
  return new CrierError({
    ...problem,
    status: answer.status,
    code: problem.code ?? statusCodes.get(answer.status) ?? 'bad_response',
    message: problem.message ?? `The server answered ${answer.status} without saying why.`,
    requestId: problem.requestId ?? answer.headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfter ?? problem.retryAfter,
  })
}

/** The error inside a tool result marked `isError`, or inside a JSON-RPC error object. */
export function errorFromTool(status: number, result: unknown): CrierError {
  const fields = asFields(result)
  const text = firstText(fields)
  const body = fields['structuredContent'] ?? parsed(text)
  const problem = flatProblem(asFields(body))
  return new CrierError({
    ...problem,
    status,
    code: problem.code ?? 'invalid_request',
    message: problem.message ?? text ?? 'The tool refused without saying why.',
  })
}

/** Whether a body has one of our codes, which proves that Crier responded. */
export function saysOurCode(body: unknown): boolean {
  const { code, error } = asFields(body)
  return isOurs(code) || isOurs(error) || typeof asFields(error)['code'] === 'number'
}

/** The first text block of a tool result. */
export function firstText(result: Fields): string | undefined {
  const content = Array.isArray(result['content']) ? result['content'] : []
  const block = content.map(asFields).find((part) => part['type'] === 'text')
  return string(block?.['text'])
}

/** The value as an object with string keys; anything else becomes an empty object. */
export function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

/** Parses JSON; returns undefined on failure, because the parser's error would quote the text. */
export function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

type Read = { [Part in keyof Problem]?: Problem[Part] | undefined }

/** Both code keys and both message keys are read (contract 14.6). */
function flatProblem(body: Fields): Read {
  const { code, error } = body
  const rest = Object.entries(body).filter(([key]) => !placed.has(key))
  return {
    code: [code, error].find(isOurs) ?? [code, error].find(looksLikeCode),
    message: string(body['message']) ?? string(body['messsage']) ?? oauthMessage(body),
    field: string(body['field']),
    fix: typeof body['fix'] === 'object' ? (body['fix'] as Fix) : undefined,
    requestId: string(body['request_id']),
    retryAfter: typeof body['retry_after'] === 'number' ? body['retry_after'] : undefined,
    data: Object.fromEntries(rest),
  }
}

function rpcProblem(error: Fields): Read {
  const problem = flatProblem(asFields(error['data']))
  return {
    ...problem,
    code: problem.code ?? rpcCodes.get(error['code']) ?? 'bad_response',
    message: problem.message ?? string(error['message']),
  }
}

function oauthMessage(body: Fields): string | undefined {
  return string(body['error_description'])
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
