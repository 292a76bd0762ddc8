/**
 * The authorization server with its own database and a manual clock, and the actions of a client
 * and a person. The person agrees without a page.
 */

import { randomBytes } from 'node:crypto'
import { type Id, newId } from 'crier-server/core/ids.ts'
import type { Scope } from 'crier-server/core/operation.ts'
import { registerDiscovery } from 'crier-server/http/discovery.ts'
import { type OAuthRouteDeps, registerOAuthRoutes } from 'crier-server/http/oauth.ts'
import { createServer } from 'crier-server/http/server.ts'
import { createVault, sha256, type Vault } from 'crier-server/lib/crypto/vault.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { createLog } from 'crier-server/lib/process/log.ts'
import { readAuthorizationRequest } from 'crier-server/oauth/authorize/authorize.ts'
import { issueCode } from 'crier-server/oauth/authorize/codes.ts'
import type { FetchDocument } from 'crier-server/oauth/clients/client-documents.ts'
import type { TokenAnswer } from 'crier-server/oauth/model/grant.ts'
import { createOAuth, type OAuth } from 'crier-server/oauth/server.ts'
import { ManualClock } from '../time/manual-clock.ts'

export const tokenPath = '/functions/v1/mcp-oauth'
export const callback = 'http://localhost:8123/callback'
export const testVault: Vault = createVault('a secret of at least 32 characters')

export const testConfig = {
  baseUrl: 'https://api.example',
  appUrl: 'https://app.example',
  gatewayUrl: 'https://gateway.example',
  slug: 'svc',
  allowedRedirects: [] as string[],
  clientDocuments: false,
  endOnReuse: false,
  refreshesPerHour: 60,
}

export interface WorldOptions {
  config?: Partial<typeof testConfig>
  fetchDocument?: FetchDocument
  limitRegistrations?: OAuthRouteDeps['limitRegistrations']
}

export interface Sent {
  status: number
  headers: Record<string, unknown>
  body: Record<string, unknown>
}

/** A code with everything that the client needs for its exchange. */
export type CodeForm = Record<
  'grant_type' | 'code' | 'redirect_uri' | 'client_id' | 'code_verifier',
  string
>

export interface World {
  db: Database
  clock: ManualClock
  oauth: OAuth
  app: ReturnType<typeof createServer>
  /** Creates a person who owns this many new businesses. */
  person(businesses?: number): Promise<Id<'user'>>
  client(...redirects: string[]): Promise<string>
  post(path: string, form: Record<string, string>): Promise<Sent>
  code(options?: Partial<CodeOptions>): Promise<CodeForm>
  connect(options?: Partial<CodeOptions>): Promise<TokenAnswer & { client_id: string }>
  /** The id of a new connection. */
  connection(options?: Partial<CodeOptions>): Promise<Id<'connection'>>
  refresh(clientId: string, refreshToken: string): Promise<Sent>
}

export interface CodeOptions {
  clientId: string
  userId: Id<'user'>
  redirectUri: string
  scope: string
  verifier: string
  ticked: Scope[]
}

export function authorizationWorld(db: Database, options: WorldOptions = {}): World {
  const clock = new ManualClock()
  const config = { ...testConfig, ...options.config }
  const fetchDocument = options.fetchDocument ?? (() => Promise.reject(new Error('no network')))
  const oauth = createOAuth({ db, vault: testVault, config, fetchDocument })
  const log = createLog('silent')
  const app = createServer({ log, bodyLimit: 65_536, trustProxy: false, https: false })
  registerOAuthRoutes(app, {
    oauth,
    clock,
    log,
    limitRegistrations: options.limitRegistrations ?? (() => Promise.resolve(undefined)),
  })
  const { ring, addresses } = oauth
  registerDiscovery(app, { addresses, clientDocuments: config.clientDocuments, ring, clock })

  const world: World = {
    db,
    clock,
    oauth,
    app,
    person: (businesses = 1) => newPerson(db, businesses, clock.now()),
    async client(...redirects) {
      const payload = { client_name: 'Test client', redirect_uris: redirects }
      const answer = await app.inject({ method: 'POST', url: `${tokenPath}/register`, payload })
      if (answer.statusCode !== 201) throw new Error(answer.body)
      return answer.json().client_id
    },
    async post(url, form) {
      const answer = await app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(form).toString(),
      })
      return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
    },
    async code(given = {}) {
      const redirectUri = given.redirectUri ?? callback
      const clientId = given.clientId ?? (await world.client(redirectUri))
      const verifier = given.verifier ?? randomBytes(32).toString('base64url')
      const query = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        code_challenge: sha256(verifier).toString('base64url'),
        code_challenge_method: 'S256',
        scope: given.scope ?? 'forms:read audience:write',
      }
      const reading = await readAuthorizationRequest(oauth, query, {
        from: '192.0.2.1',
        now: clock.now(),
      })
      if (reading.kind !== 'request') throw new Error(JSON.stringify(reading))
      const { request } = reading
      const userId = given.userId ?? (await world.person())
      const scopes = given.ticked ?? request.scopes
      const to = await db.tx((tx) =>
        issueCode(tx, oauth, { request, scopes, userId, now: clock.now() }),
      )
      return {
        grant_type: 'authorization_code',
        code: new URL(to).searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        client_id: clientId,
        code_verifier: verifier,
      }
    },
    async connect(given = {}) {
      const form = await world.code(given)
      const { status, body } = await world.post(tokenPath, form)
      if (status !== 200) throw new Error(JSON.stringify(body))
      return { ...(body as unknown as TokenAnswer), client_id: form.client_id }
    },
    async connection(given) {
      const { access_token } = await world.connect(given)
      const claims = await oauth.accessTokens.verify(access_token, clock.now())
      if (!claims) throw new Error('a new token does not hold')
      return claims.connectionId
    },
    refresh: (clientId, refreshToken) =>
      world.post(tokenPath, {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: refreshToken,
      }),
  }
  return world
}

async function newPerson(db: Database, businesses: number, now: Date): Promise<Id<'user'>> {
  const id = newId('user')
  await db.run(
    sql`insert into users (id, email, created_at) values (${id}, ${`${id}@e.example`}, ${now})`,
  )
  for (let i = 1; i <= businesses; i++) await joinNewBusiness(db, id, `Business ${i}`, now)
  return id
}

export async function joinNewBusiness(
  db: Database,
  userId: Id<'user'>,
  name: string,
  now: Date,
): Promise<Id<'business'>> {
  const id = newId('business')
  await db.run(sql`
    insert into businesses (id, name, tier, created_at, updated_at)
    values (${id}, ${name}, 'growth', ${now}, ${now})
  `)
  await db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    values (${id}, ${userId}, 'owner', ${now})
  `)
  return id
}
