/**
 * The constants of MCP: four revisions in two eras. Legacy revisions negotiate with `initialize`
 * and allow the contract's bare call; the modern one carries its version in `_meta` of every
 * request and repeats it in headers.
 */
import type { Refusal } from '../../core/errors.ts'

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
  /** Of arguments whose JSON means different things to different readers. */
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
