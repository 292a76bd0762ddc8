/**
 * A caller behind a proxy who sends a forged `X-Forwarded-For`: the limits and the consent ledger
 * use the address that the proxy saw.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { limits } from 'crier-server/config.ts'
import { isRefusal } from 'crier-server/core/errors.ts'
import { newId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { bytesOf, makeToken } from 'crier-server/tracking/tokens.ts'
import { newBusiness } from '../support/businesses/business.ts'
import { saveOne, toSave } from '../support/businesses/contacts.ts'
import { clientMetadata } from '../support/clients/plain-client.ts'
import { type AppendingProxy, appendingProxy } from '../support/network/appending-proxy.ts'
import { type Service, startService } from '../support/processes/service.ts'

const settings = { TRUST_PROXY: 'yes' }
let service: Service
let proxy: AppendingProxy
before(async () => {
  service = await startService({ settings })
  proxy = await appendingProxy(service.config.port)
})
after(async () => {
  await proxy.close()
  await service.close()
})

interface Post {
  path: string
  type: string
  body: string
  /** The caller's loopback address. */
  from: string
  forwardedFor: string
}

function post({ path, type, body, from, forwardedFor }: Post): Promise<number> {
  const headers = { 'content-type': type, 'x-forwarded-for': forwardedFor }
  const to = { host: '127.0.0.1', port: proxy.port, localAddress: from, method: 'POST', path }
  return new Promise((resolve, reject) => {
    const request = http.request({ ...to, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    })
    request.once('error', reject).end(body)
  })
}

const anyAddress = () => [...randomBytes(4)].map((n) => (n % 254) + 1).join('.')

const registration = (from: string, forwardedFor: string): Post => ({
  path: '/functions/v1/mcp-oauth/register',
  type: 'application/json',
  body: JSON.stringify(clientMetadata('http://localhost:41870/callback')),
  from,
  forwardedFor,
})

test('200 registrations with 200 forged addresses meet the limit of their one real network', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 200; i++) {
    const forged = [anyAddress(), `${anyAddress()}, ${anyAddress()}`, 'unknown', ''][i % 4] ?? ''
    statuses.push(await post(registration('127.0.0.9', forged)))
  }
  const expected = Array.from({ length: 200 }, (_, i) => {
    return i < limits.registrationsPerHour ? 201 : 429
  })
  assert.deepEqual(statuses, expected)
  // Others can still register, though the same proxy serves them and the forger named them.
  await post(registration('127.0.0.9', '127.0.0.10'))
  assert.equal(await post(registration('127.0.0.10', '127.0.0.9')), 201)
})

test('the consent ledger stores the address that the proxy saw', async () => {
  const businessId = await newBusiness(service.db)
  const yes = { status: 'subscribed', source: 'a form' } as const
  const person = { email: 'ana@example.com', consent: { email: yes } }
  const saved = await saveOne(service.db, toSave(businessId, person))
  assert.ok(!isRefusal(saved))
  const named = { businessId, messageId: newId('message'), rest: bytesOf(saved.id) }
  const status = await post({
    path: `/u/${makeToken(service.vault, 'preferences', named)}`,
    type: 'application/x-www-form-urlencoded',
    body: 'List-Unsubscribe=One-Click',
    from: '127.0.0.9',
    forwardedFor: '203.0.113.66',
  })
  assert.equal(status, 200)
  const row = await service.db.maybe<{ ip: string }>(sql`
    select host(ip) as ip from consent_events
    where business_id = ${businessId} and action = 'unsubscribed'
  `)
  assert.equal(row?.ip, '127.0.0.9')
})
