/** The contract's bare tool call, for clients that support OAuth but not MCP. */
import assert from 'node:assert/strict'

export function toolCall(name: string, id = 1): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: {} },
  })
}

export const jsonHeaders = { 'content-type': 'application/json' }

/** Asserts that a result of business.list names exactly the person's own business. */
export function assertOwnBusiness(result: unknown): void {
  const { structuredContent } = result as {
    structuredContent?: { businesses?: { business_id: string; role: string }[] }
  }
  const businesses = structuredContent?.businesses ?? []
  assert.equal(businesses.length, 1)
  assert.match(businesses[0]?.business_id ?? '', /^bus_[0-9a-hjkmnp-tv-z]{26}$/)
  assert.equal(businesses[0]?.role, 'owner')
}

/** Asserts a JSON-RPC success and returns its result. */
export async function resultOf(response: Response): Promise<unknown> {
  const body = (await response.json()) as { result?: unknown; error?: unknown }
  assert.equal(response.status, 200, JSON.stringify(body))
  assert.ok(body.result, JSON.stringify(body))
  return body.result
}
