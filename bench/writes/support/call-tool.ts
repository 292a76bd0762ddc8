import { endpoint, post } from '../../support/calls.ts'
import type { BenchTestbed } from '../../support/testbed.ts'

/** One call as a client makes it; throws where it is refused. */
export async function callTool<T>(
  testbed: BenchTestbed,
  token: string,
  name: string,
  args: object,
): Promise<T> {
  return answerOf<T>(await sendCall(testbed, token, callBody(name, args)))
}

export function callBody(name: string, args: object): string {
  const params = { name: `svc.v1.${name}`, arguments: args }
  return JSON.stringify({ jsonrpc: '2.0', method: 'tools/call', id: 1, params })
}

export function sendCall(testbed: BenchTestbed, token: string, body: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return post(`${testbed.service.origin}${endpoint}`, headers, body)
}

export function answerOf<T>(answer: Buffer): T {
  const { result } = JSON.parse(answer.toString())
  if (result === undefined || result.isError) throw new Error(answer.toString().slice(0, 1000))
  return result.structuredContent as T
}
