/** The contract's error body, "Errors": clients may use either code key and either message key. */
import assert from 'node:assert/strict'

export interface ErrorBody {
  error?: string
  code?: string
  message?: string
  messsage?: string
}

/** Asserts status and code; a client may read either of both keys, so both must be right. */
export async function assertRefused(
  response: Response,
  status: number,
  code: string,
): Promise<ErrorBody> {
  const text = await response.text()
  assert.equal(response.status, status, text)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  const body = JSON.parse(text) as ErrorBody
  assert.equal(body.code, code, text)
  assert.equal(body.error, code, text)
  const message = body.message ?? body.messsage
  assert.ok(message && message.length > 10, `no message a person could use: ${text}`)
  return body
}

export interface ToolResult {
  isError?: boolean
  content: { type: string; text?: string }[]
  structuredContent: Record<string, unknown>
}

/** Asserts a JSON-RPC 2.0 success for id 1 and returns the tool's result. */
export async function toolResult(response: Response): Promise<ToolResult> {
  const text = await response.text()
  assert.equal(response.status, 200, text)
  const body = JSON.parse(text) as { jsonrpc: string; id: number; result?: ToolResult }
  assert.equal(body.jsonrpc, '2.0')
  assert.equal(body.id, 1)
  assert.ok(body.result, text)
  return body.result
}

export async function json<T>(response: Response): Promise<T> {
  return (await response.json()) as T
}
