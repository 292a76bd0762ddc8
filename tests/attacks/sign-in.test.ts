/** Attacks on sign-in: requesting another person's mail, and sending codes again. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openConnections } from '../support/clients/connections-page.ts'
import { PageVisitor, type Visited } from '../support/clients/page-visitor.ts'
import {
  approved,
  connect,
  exchangeForm,
  type Tokens,
  token,
} from '../support/clients/plain-client.ts'
import { newPerson } from '../support/clients/sign-in.ts'
import { type Service, startService } from '../support/processes/service.ts'

let service: Service
before(async () => {
  service = await startService({ settings: { TRUST_PROXY: '1' } })
})
after(() => service.close())

/** Requests a sign-in mail from behind the proxy, with a forged address. */
async function ask(email: string, from: string): Promise<Visited> {
  const visitor = new PageVisitor(service.app.server, new URL(service.url).host)
  const page = await visitor.get('/login')
  return visitor.submit(page, { email }, { 'x-forwarded-for': `198.51.100.1, ${from}` })
}

async function statusesOf(email: string, from: string, times: number): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < times; i++) statuses.push((await ask(email, from)).status)
  return statuses
}

const passed = (statuses: number[]) => statuses.filter((status) => status === 200).length

test('a stranger who requests sign-in mail for another person does not lock them out', async () => {
  const { email } = await connect(service.url)
  assert.deepEqual(await statusesOf(email, '203.0.113.1', 7), [200, 200, 200, 200, 200, 429, 429])
  assert.equal((await ask(email, '203.0.113.2')).status, 200)
})

test('an address gets at most twenty sign-in mails in 15 minutes, from however many networks', async () => {
  const { email } = await connect(service.url)
  const statuses: number[] = []
  // One mail was already sent for the connection.
  for (let n = 1; n <= 6; n++) statuses.push(...(await statusesOf(email, `203.0.113.${10 + n}`, 5)))
  assert.equal(passed(statuses), 19)
  assert.deepEqual(statuses.slice(0, 19), Array(19).fill(200))
})

test('the sign-in responses do not reveal whether an address has an account', async () => {
  const known = (await connect(service.url)).email
  const unknown = newPerson()
  const answers = async (email: string, from: string) => {
    const all: unknown[] = []
    for (let i = 0; i < 7; i++) {
      const { status, headers, body } = await ask(email, from)
      const same = body
        .replaceAll('%40', '@')
        .replaceAll(email, 'EMAIL')
        .replace(/name="form_key" value="[^"]*"/g, '')
      const words = same.replace(/Wait \d+ (s|minutes)/g, 'Wait')
      all.push([status, headers['retry-after'] !== undefined, words])
    }
    return all
  }
  assert.deepEqual(await answers(known, '203.0.113.31'), await answers(unknown, '203.0.113.32'))
})

test('a reused code is reported to its user, and the connection stays alive', async () => {
  const grant = await approved(service.url)
  const form = exchangeForm(grant)
  const first = await token(service.url, form)
  assert.equal(first.status, 200)
  const { access_token } = (await first.json()) as Tokens
  const again = await token(service.url, form)
  assert.deepEqual(
    [again.status, ((await again.json()) as { error: string }).error],
    [400, 'invalid_grant'],
  )
  const headers = { authorization: `Bearer ${access_token}` }
  assert.equal((await fetch(`${service.url}/v1/businesses`, { headers })).status, 200)
  const [, connections] = await openConnections(service.url, grant.email)
  assert.deepEqual(
    connections.map((one) => one.code_reuses.times),
    [1],
  )
})

test('a malformed code_verifier gets invalid_request, and a wrong one gets invalid_grant', async () => {
  const grant = await approved(service.url)
  const form = exchangeForm(grant)
  for (const [verifier, error] of [
    ['v', 'invalid_request'],
    ['v'.repeat(42), 'invalid_request'],
    ['v'.repeat(43), 'invalid_grant'],
    ['v'.repeat(128), 'invalid_grant'],
    ['v'.repeat(129), 'invalid_request'],
    [`${'v'.repeat(42)} `, 'invalid_request'],
    [`${'v'.repeat(42)}é`, 'invalid_request'],
  ] as const) {
    const answer = await token(service.url, { ...form, code_verifier: verifier })
    const body = (await answer.json()) as { error: string; field?: string }
    assert.deepEqual([answer.status, body.error], [400, error], verifier)
    if (error === 'invalid_request') assert.equal(body.field, 'code_verifier')
  }
  assert.equal((await token(service.url, form)).status, 200)
})
