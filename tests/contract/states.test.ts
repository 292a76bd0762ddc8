/** Contract, "States and transitions": the refresh token and the authorization code. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { revokeInConnections } from '../support/clients/connections-page.ts'
import {
  approved,
  callTool,
  connect,
  exchangeForm,
  refresh,
  type Tokens,
  token,
} from '../support/clients/plain-client.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { ManualClock } from '../support/time/manual-clock.ts'
import { assertRefused, json, toolResult } from './assertions.ts'

const day = 86_400_000
const list = 'svc.v1.business.list'
const clock = new ManualClock()
let service: Service
before(async () => {
  service = await startService({ clock })
})
after(() => service.close())

const refreshed = async (clientId: string, refreshToken: string): Promise<Tokens> => {
  const answer = await refresh(service.url, clientId, refreshToken)
  assert.equal(answer.status, 200)
  return json<Tokens>(answer)
}

test('an active refresh token that is used is rotated out, and the response carries its successor', async () => {
  const { clientId, tokens } = await connect(service.url)
  const next = await refreshed(clientId, tokens.refresh_token)
  assert.notEqual(next.refresh_token, tokens.refresh_token)
  await refreshed(clientId, next.refresh_token)
})

test('a rotated-out refresh token that is used gets 400 invalid_grant and changes nothing', async () => {
  const { clientId, tokens } = await connect(service.url)
  const next = await refreshed(clientId, tokens.refresh_token)
  for (let i = 0; i < 3; i++) {
    const again = await refresh(service.url, clientId, tokens.refresh_token)
    await assertRefused(again, 400, 'invalid_grant')
  }
  await toolResult(await callTool(service.url, next.access_token, list))
  await toolResult(await callTool(service.url, tokens.access_token, list))
  await refreshed(clientId, next.refresh_token)
})

test('a rotated-out refresh token used an hour later still gets 400 and changes nothing', async () => {
  const { clientId, tokens } = await connect(service.url)
  const next = await refreshed(clientId, tokens.refresh_token)
  clock.forward(3_600_000)
  const again = await refresh(service.url, clientId, tokens.refresh_token)
  await assertRefused(again, 400, 'invalid_grant')
  await refreshed(clientId, next.refresh_token)
})

test('an active refresh token expires after 30 days without use', async () => {
  const { clientId, tokens } = await connect(service.url)
  clock.forward(30 * day)
  const answer = await refresh(service.url, clientId, tokens.refresh_token)
  await assertRefused(answer, 400, 'invalid_grant')
})

test('a token chain lives as long as each refresh comes within 30 days of the last', async () => {
  const { clientId, tokens } = await connect(service.url)
  let { refresh_token } = tokens
  for (let i = 0; i < 3; i++) {
    clock.forward(30 * day - 1000)
    ;({ refresh_token } = await refreshed(clientId, refresh_token))
  }
})

test('after the user revokes a connection, its calls get 401 and its refreshes 400', async () => {
  const { clientId, email, tokens } = await connect(service.url)
  await toolResult(await callTool(service.url, tokens.access_token, list))
  await revokeInConnections(service.url, email)
  const call = await callTool(service.url, tokens.access_token, list)
  await assertRefused(call, 401, 'unauthorized')
  for (let i = 0; i < 2; i++) {
    const answer = await refresh(service.url, clientId, tokens.refresh_token)
    await assertRefused(answer, 400, 'invalid_grant')
  }
})

test('after a revocation the authorize flow creates a new connection', async () => {
  const { email } = await connect(service.url)
  await revokeInConnections(service.url, email)
  const { tokens } = await connect(service.url, { email })
  await toolResult(await callTool(service.url, tokens.access_token, list))
})

test('an authorization code that was used is rejected', async () => {
  const grant = await approved(service.url)
  const first = await token(service.url, exchangeForm(grant))
  assert.equal(first.status, 200)
  const { access_token } = await json<Tokens>(first)
  const second = await token(service.url, exchangeForm(grant))
  await assertRefused(second, 400, 'invalid_grant')
  await toolResult(await callTool(service.url, access_token, list))
})

test('an authorization code that has expired is rejected', async () => {
  const grant = await approved(service.url)
  clock.forward(3_600_000)
  const answer = await token(service.url, exchangeForm(grant))
  await assertRefused(answer, 400, 'invalid_grant')
})
