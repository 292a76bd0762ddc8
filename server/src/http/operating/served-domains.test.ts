import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../../../../tests/support/processes/service.ts'
import { newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'

let service: Service
before(async () => {
  service = await startService({ idle: true, settings: { BASE_URL: 'https://crier.example' } })
  const claim = (name: string, degraded: boolean) =>
    service.db.run(sql`
      insert into domain_claims (name, domain_id, degraded, claimed_at)
      values (${name}, ${newId('domain')}, ${degraded}, ${new Date()})
    `)
  await claim('shop.example', false)
  await claim('lost.example', true)
})
after(async () => {
  await service.close()
})

async function ask(domain: string, headers: Record<string, string> = {}): Promise<number> {
  const query = new URLSearchParams({ domain })
  return (await fetch(`${service.url}/tls/ask?${query}`, { headers })).status
}

test('certificates are allowed only for our own names and tracking names of verified domains', async () => {
  const answers = {
    'crier.example': 200,
    't.shop.example': 200,
    'T.Shop.Example': 200,
    'shop.example': 404,
    't.lost.example': 404,
    't.stranger.example': 404,
    't.t.shop.example': 404,
    't.': 404,
    '': 404,
    [`t.${'a'.repeat(300)}.example`]: 404,
  }
  for (const [name, status] of Object.entries(answers)) assert.equal(await ask(name), status, name)
  assert.equal((await fetch(`${service.url}/tls/ask`)).status, 404)
})

test('a certificate query forwarded by the proxy from outside gets 404', async () => {
  assert.equal(await ask('t.shop.example', { 'x-forwarded-for': '203.0.113.9' }), 404)
})
