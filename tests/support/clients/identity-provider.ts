/** A company's identity provider (`oidc-provider`), and a browser in which somebody signs in there. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface Person {
  sub: string
  email?: string
  email_verified?: boolean
  groups?: unknown
  /** What a provider of its kind says beside these. */
  [claim: string]: unknown
}

export interface IdentityProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /**
   * Goes where the browser is sent, signs in as the person, and returns where it is sent back.
   * `consents`: they agree to offline access as well.
   */
  signIn(url: string, person: Person, options?: { consents?: boolean }): Promise<string>
  /** From now on the person is gone there. */
  forget(sub: string): void
  /** These people are there again, with the tokens that they had. */
  remember(subs: readonly string[]): void
  /** How many requests for tokens are answered by an outage, from now on. */
  fail(count: number): void
  /** How many requests for tokens it had. */
  tokenRequests(): number
  close(): Promise<void>
}

export interface ProviderOptions {
  returnUrls: string[]
  /** Where the provider says that a session ended. */
  logoutUrl?: string
  /** The client may not ask for offline access. */
  refusesOffline?: boolean
  /** It names the groups to who asks for the scope `groups`, as Okta does. */
  hasGroupScope?: boolean
  /** It says all in the ID token, and nothing at its userinfo endpoint, as Entra does. */
  saysInToken?: boolean
  /** It gives a refresh token with a consent alone, and knows no scope for it, as Google does. */
  isLikeGoogle?: boolean
}

/** Claims of Google, Entra and Keycloak that are no standard's. */
const saidBeside = [
  'name',
  'preferred_username',
  'hd',
  'oid',
  'tid',
  'roles',
  'realm_access',
  'resource_access',
]

const clientId = 'crier'
const clientSecret = 'the secret of Crier at this provider'

export async function identityProvider({
  returnUrls,
  logoutUrl,
  refusesOffline = false,
  hasGroupScope = false,
  saysInToken = false,
  isLikeGoogle = false,
}: ProviderOptions): Promise<IdentityProvider> {
  const people = new Map<string, Person>()
  /** Who has consented since a refresh token was given the last time. */
  const consented = new Set<string>()
  const earlierPeople = new Set<string>()
  const scopes = [
    'openid',
    'email',
    'profile',
    ...(isLikeGoogle ? [] : ['offline_access']),
    ...(hasGroupScope ? ['groups'] : []),
  ]
  let signingIn: Person | undefined
  let failures = 0
  let tokenRequests = 0
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: returnUrls,
        ...(refusesOffline && {
          scope: scopes.filter((scope) => scope !== 'offline_access').join(' '),
        }),
        grant_types: ['authorization_code', 'refresh_token'],
        ...(logoutUrl && {
          backchannel_logout_uri: logoutUrl,
          backchannel_logout_session_required: true,
        }),
      },
    ],
    scopes,
    claims: {
      openid: ['sub', 'sid'],
      email: ['email', 'email_verified'],
      profile: [...saidBeside, ...(hasGroupScope ? [] : ['groups'])],
      ...(hasGroupScope && { groups: ['groups'] }),
    },
    conformIdTokenClaims: !saysInToken,
    cookies: { keys: ['a key of cookies'] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    async issueRefreshToken(_ctx: unknown, _client: unknown, { accountId }: { accountId: string }) {
      if (!isLikeGoogle) return true
      const isFirst = !earlierPeople.has(accountId)
      earlierPeople.add(accountId)
      return consented.delete(accountId) || isFirst
    },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    async findAccount(_ctx: unknown, sub: string) {
      const person = people.get(sub)
      return person && { accountId: sub, claims: async () => person }
    },
    async loadExistingGrant(ctx: {
      oidc: {
        session: { accountId: string }
        client: { clientId: string }
        params: { prompt?: string }
      }
    }) {
      const { session, client, params } = ctx.oidc
      if (params.prompt?.includes('consent')) consented.add(session.accountId)
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
      grant.addOIDCScope(scopes.join(' '))
      await grant.save()
      return grant
    },
    renderError: async (ctx: { body: unknown }, out: unknown) => {
      ctx.body = JSON.stringify(out)
    },
  })
  const callback = provider.callback()
  const answer = async (...[request, response]: Parameters<typeof callback>) => {
    if (request.url === '/token') tokenRequests += 1
    if (request.url === '/token' && failures > 0) {
      failures -= 1
      response.writeHead(503).end()
      return undefined
    }
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    await provider.interactionDetails(request, response)
    const login = { accountId: signingIn?.sub ?? '' }
    return provider.interactionFinished(request, response, { login, consent: {} })
  }

  return {
    issuer,
    clientId,
    clientSecret,
    async signIn(url, person, { consents = false } = {}) {
      people.set(person.sub, person)
      signingIn = person
      return visit(consents ? `${url}&prompt=consent` : url, issuer)
    },
    forget: (sub) => void people.delete(sub),
    remember(subs) {
      for (const sub of subs) people.set(sub, { sub })
    },
    fail: (count) => {
      failures = count
    },
    tokenRequests: () => tokenRequests,
    close: () => closed(server),
  }
}

/** Follows redirects within the provider, as a browser of its own. */
async function visit(start: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start
  for (let hops = 0; hops < 10; hops += 1) {
    if (!url.startsWith(`${issuer}/`)) return url
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const to = answer.headers.get('location')
    if (to === null)
      throw new Error(`the provider stopped: ${answer.status} ${await answer.text()}`)
    url = new URL(to, url).href
  }
  throw new Error('the provider redirects without end')
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
