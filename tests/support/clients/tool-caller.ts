/** Tool calls over HTTP, in any number: a token close to its rate limit is replaced. */
import { limits } from 'crier-server/config.ts'

export interface Answer {
  status: number
  headers: Headers
  /** The unparsed body. */
  text: string
  /** `error` is an error of the protocol, whose error object is the body. */
  kind: 'answer' | 'refusal' | 'error'
  /** The output of the operation, or the flat body of its refusal. */
  body: Record<string, unknown>
}

/** Calls operations through one of the entry points. */
export interface EntryCaller {
  /** Calls an operation by its name. */
  call(operation: string, input?: object): Promise<Answer>
  /** Calls an operation and returns its output; a refusal fails the test. */
  get<T>(operation: string, input?: object): Promise<T>
}

export interface ToolCaller extends EntryCaller {
  /** Sends any bytes to the tool endpoint, with this person's token. */
  send(body: BodyInit, headers?: Record<string, string>): Promise<Answer>
}

const callsPerToken = limits.requestsPerMinute - 50
/** Longer than any intended wait, so that a call that hangs fails its test. */
const patience = 60_000

export function toolCaller(endpoint: string, mint: () => Promise<string>): ToolCaller {
  const nextToken = renewingToken(mint)
  const caller: ToolCaller = {
    call: (operation, input) => caller.send(toolCall(operation, input)),
    async get<T>(operation: string, input?: object) {
      const { kind, body, text } = await caller.call(operation, input)
      if (kind !== 'answer') throw new Error(`${operation} was refused: ${text.slice(0, 500)}`)
      return body as T
    },
    async send(body, headers = {}) {
      const cost = typeof body === 'string' && body.startsWith('[') ? 50 : 1
      const authorization = `Bearer ${await nextToken(cost)}`
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization, ...headers },
        body,
        signal: AbortSignal.timeout(patience),
        ...(body instanceof ReadableStream && { duplex: 'half' }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, ...read(text) }
    },
  }
  return caller
}

/** Returns a token that may make `cost` more requests. */
export function renewingToken(mint: () => Promise<string>): (cost: number) => Promise<string> {
  let token: Promise<string> | undefined
  let left = 0
  return (cost) => {
    if (token === undefined || left < cost) {
      token = mint()
      left = callsPerToken
    }
    left -= cost
    return token
  }
}

/** The body of the contract's bare call. */
export function toolCall(operation: string, input: object = {}): string {
  const params = { name: `svc.v1.${operation}`, arguments: input }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
}

interface Rpc {
  error?: unknown
  result?: { isError?: boolean; structuredContent?: Record<string, unknown> }
}

function read(text: string): Pick<Answer, 'kind' | 'body'> {
  const json = text.startsWith('event:') ? (text.split('data: ')[1] ?? '') : text
  const message = (json.trim() === '' ? {} : JSON.parse(json)) as Rpc & Record<string, unknown>
  const { error, result } = message
  if (typeof error === 'string') return { kind: 'refusal', body: message }
  if (typeof error === 'object') {
    return { kind: 'error', body: error as Record<string, unknown> }
  }
  const body = result?.structuredContent ?? {}
  return { kind: result?.isError ? 'refusal' : 'answer', body }
}
