/**
 * The messages of MCP: four revisions in two eras. Legacy revisions negotiate with `initialize`
 * and allow the contract's bare call; the modern one carries its version in `_meta` of every
 * request and repeats it in headers.
 */
import type { Refusal } from '../../core/errors.ts'
import { refuseJson } from '../../core/json.ts'
import { isObject, type JsonFault, parseIJson } from '../../lib/text/i-json.ts'

export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const
export const modernVersions = ['2026-07-28'] as const

/**
 * The version of a request without a version header (MCP 2025-06-18, "Protocol Version Header").
 */
export const assumedVersion = '2025-03-26'

export const metaKey = (name: string): string => `io.modelcontextprotocol/${name}`

export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  /**
   * Codes in JSON-RPC's range for servers: a refusal at HTTP level, or a refused call within a
   * batch.
   */
  refused: -32000,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const

/** The most messages in one batch (2025-03-26 only); each counts against the rate limit. */
export const maxBatch = 50

export type Era = 'legacy' | 'modern'
export type RequestId = string | number

/** What a client calls a request by, to be told of its progress (MCP, "Progress"). */
export type ProgressToken = string | number

/** A request that passed the checks of its envelope. */
export interface RpcRequest {
  id: RequestId
  method: string
  params: Record<string, unknown>
  /** Set where the client wants to be told of progress. */
  progressToken?: ProgressToken
  /** Set if the JSON of the arguments means different things to different readers. */
  refusal?: Refusal
}

/** A response before it is written: HTTP status, and its body in JSON if it has one. */
export interface Answer {
  status: number
  json?: string
  /** Messages that go ahead of it where the client accepts an event stream. */
  ahead?: readonly string[]
}

/** `id` is omitted where it is unknown, because null fails the schemas of real clients. */
export function rpcError(
  status: number,
  id: RequestId | undefined,
  code: number,
  message: string,
  data?: unknown,
): Answer {
  return {
    status,
    json: JSON.stringify({
      jsonrpc: '2.0',
      ...(id !== undefined && { id }),
      error: { code, message, ...(data !== undefined && { data }) },
    }),
  }
}

export type Headers = Record<string, string | string[] | undefined>

export type Envelope =
  | { kind: 'one'; era: Era; request: RpcRequest }
  /** Each entry is a request, or the response to a malformed one. */
  | { kind: 'batch'; entries: (RpcRequest | Answer)[] }
  | { kind: 'answer'; answer: Answer }

const accepted: Envelope = { kind: 'answer', answer: { status: 202 } }

/** Parses the body of a POST into requests of a known era, or into an error response. */
export function readEnvelope(text: string, headers: Headers): Envelope {
  const parsed = parseIJson(text)
  if (!parsed) {
    return no(rpcError(400, undefined, rpcCodes.parse, 'Parse error: the body is not JSON.'))
  }
  const { value: message, fault: jsonFault } = parsed
  const argumentFault = jsonFault && faultOfArguments(message, jsonFault)
  if (jsonFault && !argumentFault) return no(invalid(refuseJson(jsonFault).message.slice(0, -1)))
  const version = header(headers, 'mcp-protocol-version')
  if (Array.isArray(message)) return readBatch(message, version)
  if (!isObject(message) || message['jsonrpc'] !== '2.0')
    return no(invalid('jsonrpc must be "2.0"'))

  const modernHeader = version !== undefined && version >= modernVersions[0]
  if (typeof message['method'] !== 'string') {
    // A legacy client may send responses. The server sent no request, so they are ignored.
    const isResponse = 'result' in message || 'error' in message
    return isResponse && !modernHeader ? accepted : no(invalid('method must be a string'))
  }
  if (!('id' in message)) return accepted
  const envelope = asRequest(message)
  if (!envelope) return no(invalid('id must be a string or an integer, params an object'))
  const meta = isObject(envelope.params['_meta']) ? envelope.params['_meta'] : {}
  const progressToken = progressTokenOf(meta)
  const request = {
    ...envelope,
    ...(progressToken !== undefined && { progressToken }),
    ...(argumentFault && { refusal: refuseJson(argumentFault) }),
  }
  if (modernHeader || meta[metaKey('protocolVersion')] !== undefined) {
    const fault = modernFault(request, meta, headers, version)
    return fault ? no(fault) : { kind: 'one', era: 'modern', request }
  }
  if (
    request.method !== 'initialize' &&
    !(legacyVersions as readonly string[]).includes(version ?? assumedVersion)
  ) {
    const supported = [...modernVersions, ...legacyVersions].join(', ')
    const text = `Unsupported protocol version ${version}. Supported: ${supported}.`
    return no(rpcError(400, request.id, rpcCodes.refused, text))
  }
  return { kind: 'one', era: 'legacy', request }
}

function readBatch(messages: unknown[], version: string | undefined): Envelope {
  if (version !== undefined && version !== '2025-03-26') {
    return no(invalid('this protocol version has no batches; send one message'))
  }
  if (messages.length === 0 || messages.length > maxBatch) {
    return no(invalid(`a batch holds 1 to ${maxBatch} messages`))
  }
  const entries: (RpcRequest | Answer)[] = []
  for (const message of messages) {
    if (!isObject(message) || message['jsonrpc'] !== '2.0') {
      entries.push(invalid('jsonrpc must be "2.0"'))
    } else if (typeof message['method'] === 'string' && 'id' in message) {
      const request = asRequest(message)
      entries.push(request ?? invalid('id must be a string or an integer, params an object'))
    }
    // The remaining messages are notifications or responses, which get no answer.
  }
  return entries.length > 0 ? { kind: 'batch', entries } : accepted
}

/**
 * The fault, with its path in the arguments of a tool, if that is where it is. The call is answered
 * then as the refusal of its arguments, and not as a message that is no JSON-RPC. In a batch it is
 * always the latter, because only the first fault is known.
 */
function faultOfArguments(message: unknown, { path, kind }: JsonFault): JsonFault | undefined {
  const [first, second, ...rest] = path
  const isOfTool = isObject(message) && message['method'] === 'tools/call' && rest.length > 0
  return isOfTool && first === 'params' && second === 'arguments' ? { path: rest, kind } : undefined
}

function asRequest(message: Record<string, unknown>): RpcRequest | undefined {
  const { id, method, params = {} } = message
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined
  if (!isObject(params)) return undefined
  return { id: id as string | number, method: method as string, params }
}

function progressTokenOf({ progressToken }: Record<string, unknown>): ProgressToken | undefined {
  const isToken = typeof progressToken === 'string' || typeof progressToken === 'number'
  return isToken ? progressToken : undefined
}

/** MCP 2026-07-28: what every request must carry in `_meta` and repeat in headers. */
function modernFault(
  request: RpcRequest,
  meta: Record<string, unknown>,
  headers: Headers,
  version: string | undefined,
): Answer | undefined {
  const { id, method, params } = request
  const declared = meta[metaKey('protocolVersion')]
  if (typeof declared !== 'string' || !isObject(meta[metaKey('clientCapabilities')])) {
    const needed = `${metaKey('protocolVersion')} and ${metaKey('clientCapabilities')}`
    return rpcError(400, id, rpcCodes.invalidParams, `params._meta must carry ${needed}.`)
  }
  const mismatch = (name: string, sent: string | undefined, body: string) =>
    rpcError(
      400,
      id,
      rpcCodes.headerMismatch,
      sent === undefined
        ? `The header ${name} is missing; it must repeat "${body}" of the body.`
        : `The header ${name} says "${sent}", the body "${body}".`,
    )
  if (version !== declared) return mismatch('MCP-Protocol-Version', version, declared)
  if (!(modernVersions as readonly string[]).includes(declared)) {
    // The versions that server/discover lists, which a client of this era can fall back to.
    const data = { supported: [...modernVersions], requested: declared }
    const text = `Unsupported protocol version ${declared}.`
    return rpcError(400, id, rpcCodes.unsupportedVersion, text, data)
  }
  const sentMethod = header(headers, 'mcp-method')
  if (sentMethod !== method) return mismatch('Mcp-Method', sentMethod, method)
  const name = params['name']
  if (method === 'tools/call' && typeof name === 'string') {
    const sentName = decoded(header(headers, 'mcp-name'))
    if (sentName !== name) return mismatch('Mcp-Name', sentName, name)
  }
  return undefined
}

function invalid(why: string): Answer {
  return rpcError(400, undefined, rpcCodes.invalidRequest, `Invalid request: ${why}.`)
}

function no(answer: Answer): Envelope {
  return { kind: 'answer', answer }
}

function header(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value)?.trim()
}

/** Names beyond ASCII come as `=?base64?…?=`. */
function decoded(value: string | undefined): string | undefined {
  const encoded = value && /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1]
  return encoded === undefined || encoded === '' ? value : Buffer.from(encoded, 'base64').toString()
}
