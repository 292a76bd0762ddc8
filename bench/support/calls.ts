/** The contract's bare call of `business.list`, for every token, with the correct response. */
import assert from 'node:assert/strict'
import { formatId } from '../../server/src/core/ids.ts'
import { postBytes } from '../load/connection.ts'
import type { FixedSpec } from '../load/source.ts'
import { type Connected, connectionCount, mintTokens, settle } from './population.ts'
import type { BenchTestbed } from './testbed.ts'

export const endpoint = '/api/functions/svc-mcp'

export const callBody = JSON.stringify({
  jsonrpc: '2.0',
  method: 'tools/call',
  id: 1,
  params: { name: 'svc.v1.business.list', arguments: {} },
})

/**
 * Each response is fetched once and compared with the seeded data. The generator then compares
 * every later response with it, byte for byte. This also makes each token known to the service, as
 * its first call within the hour would.
 */
export async function businessListCalls(testbed: BenchTestbed): Promise<FixedSpec> {
  const population = await settle(testbed.db, connectionCount)
  const tokens = await mintTokens(testbed, population)
  const exchanges: FixedSpec['exchanges'] = []
  for (const [i, token] of tokens.entries()) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await post(`${testbed.service.origin}${endpoint}`, headers, callBody)
    assertLists(answer, population.connected[i])
    exchanges.push({ request: postBytes(endpoint, headers, callBody), answer })
  }
  return { kind: 'fixed', exchanges }
}

export async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<Buffer> {
  const response = await fetch(url, { method: 'POST', headers, body })
  const answer = Buffer.from(await response.arrayBuffer())
  assert.equal(response.status, 200, answer.toString())
  return answer
}

function assertLists(answer: Buffer, connected: Connected | undefined): void {
  const { id, result } = JSON.parse(answer.toString())
  const listed = result.structuredContent.businesses as { business_id: string; name: string }[]
  const expected = connected?.businesses.map((business) => ({
    business_id: formatId('business', business.id),
    name: business.name,
  }))
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  assert.equal(id, 1)
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent)
  assert.deepEqual(
    listed.map(({ business_id, name }) => ({ business_id, name })).toSorted(byName),
    expected?.toSorted(byName),
  )
}
