/** Contract, "Endpoints", Token. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  approved,
  connect,
  exchangeForm,
  newPkce,
  refresh,
  registered,
  type Tokens,
  token,
} from '../../support/clients/plain-client.ts'
import { type Service, startService } from '../../support/processes/service.ts'
import { assertRefused, json } from '../assertions.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

test('a code is exchanged for tokens without a client secret', async () => {
  const answer = await token(service.url, exchangeForm(await approved(service.url)))
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const tokens = await json<Tokens>(answer)
  assert.ok(tokens.access_token)
  assert.ok(tokens.scope)
})

test('a verifier that does not match the challenge is refused', async () => {
  const grant = await approved(service.url)
  const form = exchangeForm(grant)
  const wrong = await token(service.url, { ...form, code_verifier: newPkce().verifier })
  await assertRefused(wrong, 400, 'invalid_grant')
})

test('a redirect_uri that differs from that of the request is refused', async () => {
  const form = exchangeForm(await approved(service.url))
  const answer = await token(service.url, {
    ...form,
    redirect_uri: 'http://localhost:41999/callback',
  })
  await assertRefused(answer, 400, 'invalid_grant')
})

test("another client's code is refused", async () => {
  const form = exchangeForm(await approved(service.url))
  const other = await registered(service.url, 'http://localhost:41870/callback')
  await assertRefused(await token(service.url, { ...form, client_id: other }), 400, 'invalid_grant')
})

test("another client's refresh token is refused and stays valid", async () => {
  const { clientId, tokens } = await connect(service.url)
  const other = await registered(service.url, 'http://localhost:41870/callback')
  const stolen = await refresh(service.url, other, tokens.refresh_token)
  await assertRefused(stolen, 400, 'invalid_grant')
  assert.equal((await refresh(service.url, clientId, tokens.refresh_token)).status, 200)
})

test('a refresh answers access_token, a new refresh_token and expires_in', async () => {
  const { clientId, tokens } = await connect(service.url)
  const answer = await refresh(service.url, clientId, tokens.refresh_token)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const next = await json<Tokens>(answer)
  assert.ok(next.access_token)
  assert.match(next.refresh_token, /^rt_/)
  assert.equal(next.expires_in, 3600)
})

test('of fifty simultaneous exchanges of one code, one succeeds and its chain lives', async () => {
  const form = exchangeForm(await approved(service.url))
  const answers = await Promise.all(Array.from({ length: 50 }, () => token(service.url, form)))
  const { refresh_token } = await onlyWinner(answers)
  const clientId = form['client_id'] ?? ''
  assert.equal((await refresh(service.url, clientId, refresh_token)).status, 200)
})

test('of fifty simultaneous refreshes of one token, one succeeds and its chain lives', async () => {
  const { clientId, tokens } = await connect(service.url)
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => refresh(service.url, clientId, tokens.refresh_token)),
  )
  const { refresh_token } = await onlyWinner(answers)
  assert.equal((await refresh(service.url, clientId, refresh_token)).status, 200)
})

/** Asserts that one answer is 200 and all others are 400 invalid_grant; returns the tokens. */
async function onlyWinner(answers: Response[]): Promise<Tokens> {
  const [won, ...more] = answers.filter((answer) => answer.status === 200)
  assert.ok(won)
  assert.equal(more.length, 0)
  const lost = answers.filter((answer) => answer !== won)
  for (const answer of lost) await assertRefused(answer, 400, 'invalid_grant')
  return json<Tokens>(won)
}
