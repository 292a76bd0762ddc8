/**
 * The life of a connection, from sign-in to sign-out, as the contract's "Authentication" describes
 * it. It runs against any server for which a test can play the person.
 */
import assert from 'node:assert/strict'
import { createClient } from '../src/node.ts'
import { createOAuth } from '../src/sign-in/oauth.ts'
import { Secret } from '../src/tokens/secret.ts'
import { memoryStore } from '../src/tokens/store.ts'

export interface Target {
  url: string
  /** Agrees to everything at this URL, as a person with a browser would. */
  agree(url: string): Promise<unknown>
  /** The person ends every connection in the web app. */
  revoke(): Promise<void>
}

export async function livesAConnection({ url, agree, revoke }: Target): Promise<void> {
  const store = memoryStore()
  let ahead = 0
  const requests: string[] = []
  const counting: typeof fetch = (input, init) => {
    requests.push(new Request(input).url)
    return fetch(input, init)
  }
  const now = (): number => Date.now() + ahead
  const client = createClient({ url, store, now, fetch: counting })
  const refreshToken = async (): Promise<Secret> =>
    (await store.read())?.refreshToken ?? new Secret('')
  const clientId = async (): Promise<string> => (await store.read())?.clientId ?? ''
  const signIn = async (): Promise<void> => {
    const pages: Promise<unknown>[] = []
    await client.signIn({ scopes: ['forms:read'], open: (page) => void pages.push(agree(page)) })
    await Promise.all(pages)
  }
  const call = (): Promise<{ businesses: unknown[] }> => client.call('business.list')

  // Signing in, and the resulting connection.
  await signIn()
  assert.deepEqual((await client.status()).scopes.toSorted(), ['forms:read', 'meta:read'])
  assert.equal((await call()).businesses.length, 1)
  assert.ok((await client.listTools()).some((tool) => tool.name.endsWith('business.list')))
  await assert.rejects(client.call('no.such'), { name: 'CrierError', code: 'invalid_request' })

  // Shortly before its expiry the token is renewed once, however many call. The old one is invalid.
  const first = await refreshToken()
  const { tokenEndpoint } = await createOAuth({ url }).server()
  ahead = 3_550_000
  requests.length = 0
  await Promise.all(Array.from({ length: 20 }, call))
  assert.equal(requests.filter((to) => to === tokenEndpoint).length, 1)
  assert.notEqual((await refreshToken()).reveal(), first.reveal())
  const replay = createOAuth({ url }).refresh(await clientId(), first)
  await assert.rejects(replay, { code: 'invalid_grant', status: 400 })
  await call()

  // A revoked connection is severed after two refusals, and sends no further requests.
  await revoke()
  await assert.rejects(call(), { code: 'invalid_grant' })
  await assert.rejects(call(), { code: 'severed' })
  requests.length = 0
  await assert.rejects(call(), { code: 'severed' })
  assert.deepEqual(requests, [])

  // Signing in again repairs it. Signing out also ends it at the server.
  await signIn()
  await call()
  const [last, lastClient] = [await refreshToken(), await clientId()]
  assert.equal(await client.signOut(), true)
  await assert.rejects(call(), { code: 'signed_out' })
  const dead = createOAuth({ url }).refresh(lastClient, last)
  await assert.rejects(dead, { code: 'invalid_grant', status: 400 })
}
