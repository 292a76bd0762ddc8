/**
 * What is said with an identity provider: discovery, the address to which the browser is sent, and
 * the code's exchange for claims. A library checks state, nonce, `iss`, audience, times and signature.
 */
import type { Configuration, CustomFetchOptions, TokenEndpointResponse } from 'openid-client'
import { isRefusal, refuse } from '../../core/errors.ts'
import type { Lazy } from '../../lib/concurrency/lazily.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import type { Outbound } from '../../lib/http-client/outbound-fetch.ts'
import type { Log } from '../../lib/process/log.ts'
import { hours, seconds } from '../../lib/time/clock.ts'
import { domainOf, type Provider } from './provider.ts'

/** What a provider says of a person, verified. */
export interface Claims {
  issuer: string
  subject: string
  /** The normalised address; undefined where the provider gives none that we can use. */
  email: string | undefined
  isEmailVerified: boolean
  groups: string[]
  /** Whether the provider has the groups, but left them out since there are too many (Entra). */
  lacksGroups: boolean
  /** Whether the provider gives a refresh token only to who consents once more. */
  needsConsent: boolean
  /** The provider's name of the session there (OpenID Connect Back-Channel Logout, section 2.1). */
  session: string | undefined
  /** By which the provider is asked later whether the person is still there. */
  refresh: RefreshToken | undefined
}

export interface RefreshToken {
  token: string
  /** The client to which it was given. */
  clientId: string
  /** Whether it outlives the session there (OpenID Connect Core, section 11). */
  outlives: boolean
  /** When it ends of itself, where the provider says so (ISO 8601). */
  expiresAt?: string
}

/** What a provider says of a person whose refresh token it was sent. */
export type Renewal = { outcome: 'renewed'; refresh: RefreshToken } | { outcome: 'refused' }

/** The secrets of one sign-in. */
export interface SignInSecrets {
  state: string
  nonce: string
  verifier: string
}

/** Whose sessions a provider ends: one session, or all of a person. */
export interface EndedSession {
  subject: string | undefined
  session: string | undefined
}

/**
 * The further scopes that one sign-in does without, because its browser came back with a refusal of a
 * scope. Anybody can write such an address, so that it counts for others only once the provider has
 * signed somebody in without them. Null: those that count for all.
 */
export type LackedScopes = readonly string[] | null

export interface RelyingParty {
  authorizationUrl(
    provider: Provider,
    request: SignInSecrets & {
      returnUrl: string
      email: string | undefined
      /** Whether the person is asked for consent once more. */
      asksConsent?: boolean
      lacksScopes?: LackedScopes
    },
  ): Promise<URL>
  /** The claims for the code with which the browser has come back to `url`. */
  claimsFor(
    provider: Provider,
    answer: SignInSecrets & { url: URL; lacksScopes?: LackedScopes },
  ): Promise<Claims>
  /** What the next attempt does without, if the provider refused a scope of one that did without these. */
  fewerScopes(provider: Provider, lacksScopes: LackedScopes): Promise<string[]>
  /** Asks whether the person is still there; throws if the provider says neither. */
  renew(provider: Provider, refresh: RefreshToken, subject: string): Promise<Renewal>
  /** What a logout token says (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
  endedSession(provider: Provider, token: string): Promise<EndedSession>
}

/** The event that a logout token names. */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** How long the description of a provider counts. Its keys are read again for each unknown one. */
const keptFor = hours(1)
const mostKept = 500
const timeoutMs = seconds(5)
/** Bytes of an answer: descriptions and key sets have about 5,000. */
const mostBytes = 256 * 1024

/** The most groups that are read. Entra leaves them out where there are more than 200. */
const mostGroups = 500
const longestClaim = 255

export function createRelyingParty({
  outbound,
  log,
  elapsed = () => performance.now(),
  google = 'https://accounts.google.com',
}: {
  outbound: Lazy<Outbound>
  log: Log
  elapsed?: () => number
  /** The issuer that has Google's ways. */
  google?: string
}): RelyingParty {
  const configs = new Map<string, Described>()

  const isGoogle = ({ issuer }: Provider) => issuer === google

  const scopeOf = (
    provider: Provider,
    { config, lacksScopes }: Described,
    ofAttempt: LackedScopes = null,
  ): string => {
    const lacked = ofAttempt ?? lacksScopes
    const further = furtherScopesOf(provider, config).filter((scope) => !lacked.includes(scope))
    return [scopes, ...further].join(' ')
  }

  const descriptionOf = async (provider: Provider): Promise<Described> => {
    const key = keyOf(provider)
    const cached = configs.get(key)
    if (cached && cached.until > elapsed()) return cached
    const config = await discover(provider, outbound)
    if (configs.size >= mostKept) configs.clear()
    const described = { config, until: elapsed() + keptFor, lacksScopes: [] }
    configs.set(key, described)
    return described
  }

  const configOf = async (provider: Provider): Promise<Configuration> =>
    (await descriptionOf(provider)).config

  /** Whatever goes wrong is the provider's, or of its settings: the log says what it was. */
  const saying = async <T>(provider: Provider, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (isRefusal(error)) throw error
      const { code, error: reason } = error as { code?: string; error?: string }
      log.warn({ issuer: provider.issuer, code: reason ?? code, err: error }, 'provider.refused')
      throw reason === 'access_denied' ? cancelled(provider) : notAccepted(provider)
    }
  }

  return {
    authorizationUrl: (
      provider,
      { state, nonce, verifier, returnUrl, email, asksConsent = false, lacksScopes },
    ) =>
      saying(provider, async () => {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
        const described = await descriptionOf(provider)
        return buildAuthorizationUrl(described.config, {
          redirect_uri: returnUrl,
          scope: scopeOf(provider, described, lacksScopes),
          // Google's way to ask for offline access; it knows no such scope.
          ...(isGoogle(provider) && { access_type: 'offline' }),
          ...(asksConsent && { prompt: 'consent' }),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...(email !== undefined && { login_hint: email }),
        })
      }),

    claimsFor: (provider, { url, state, nonce, verifier, lacksScopes = null }) =>
      saying(provider, async () => {
        const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
        const described = await descriptionOf(provider)
        const { config } = described
        const tokens = await authorizationCodeGrant(config, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const inToken = tokens.claims()
        if (!inToken) throw notAccepted(provider)
        if (lacksScopes) described.lacksScopes = lacksScopes
        // Some providers give the address at their userinfo endpoint alone.
        const asks = inToken['email'] === undefined && config.serverMetadata().userinfo_endpoint
        const more = asks ? await fetchUserInfo(config, tokens.access_token, inToken.sub) : {}
        const all: Record<string, unknown> = { ...more, ...inToken }
        const claims = claimsIn(all)
        const refresh = refreshIn(tokens, {
          provider,
          wantedScope: scopeOf(provider, described),
          isOffline: isGoogle(provider),
        })
        if (!isGoogle(provider)) return { ...claims, needsConsent: false, refresh }
        const isEmailVerified = claims.isEmailVerified && isManagedByGoogle(claims.email, all['hd'])
        return { ...claims, isEmailVerified, needsConsent: refresh === undefined, refresh }
      }),

    fewerScopes: (provider, lacksScopes) =>
      saying(provider, async () => {
        const { config, lacksScopes: ofAll } = await descriptionOf(provider)
        return nextLacked(furtherScopesOf(provider, config), lacksScopes ?? ofAll)
      }),

    async renew(provider, refresh, subject) {
      const { refreshTokenGrant } = await import('openid-client')
      const described = await descriptionOf(provider)
      try {
        const tokens = await refreshTokenGrant(described.config, refresh.token)
        const namedSubject = tokens.claims()?.sub
        if (namedSubject !== undefined && namedSubject !== subject)
          throw new Error('the provider names another')
        // A provider that gives no new token goes on with this one (RFC 6749, section 6).
        const next = refreshIn(tokens, {
          provider,
          wantedScope: scopeOf(provider, described),
          isOffline: isGoogle(provider),
        })
        return {
          outcome: 'renewed',
          refresh: next ? { ...next, outlives: refresh.outlives } : refresh,
        }
      } catch (error) {
        if ((error as { error?: string }).error === 'invalid_grant') return { outcome: 'refused' }
        throw error
      }
    },

    endedSession: (provider, token) =>
      saying(provider, async () => {
        const { jwks_uri: keys } = (await configOf(provider)).serverMetadata()
        if (keys === undefined) throw notAccepted(provider)
        const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose')
        const fetch = guardedFetch(outbound)
        const keySet = createRemoteJWKSet(new URL(keys), {
          [customFetch]: (url: string, { headers }: { headers: Headers }) =>
            fetch(url, { method: 'GET', headers: Object.fromEntries(headers) }),
        })
        const { payload } = await jwtVerify(token, keySet, {
          issuer: provider.issuer,
          audience: provider.clientId,
          requiredClaims: ['iat', 'jti', 'events'],
          maxTokenAge: '5 minutes',
          clockTolerance: '30 seconds',
        })
        const { events, sub, sid, nonce } = payload as Record<string, unknown>
        const isLogout = typeof events === 'object' && events !== null && logoutEvent in events
        const subject = typeof sub === 'string' ? sub : undefined
        const session = typeof sid === 'string' ? sid : undefined
        // An ID token has a nonce, and is no logout token.
        if (!isLogout || nonce !== undefined || (subject ?? session) === undefined) {
          throw notAccepted(provider)
        }
        return { subject, session }
      }),
  }
}

/** What a provider says of itself, for an hour. */
interface Described {
  config: Configuration
  until: number
  /** The scopes without which it signed somebody in, such as at an app of Okta without refresh tokens. */
  lacksScopes: readonly string[]
}

async function discover(provider: Provider, outbound: Lazy<Outbound>): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = provider
  const client = await import('openid-client')
  const isPlain = issuer.startsWith('http:')
  return client.discovery(
    new URL(issuer),
    clientId,
    { require_auth_time: false },
    clientSecret === undefined ? client.None() : authenticationBy(client, clientSecret),
    {
      [client.customFetch]: guardedFetch(outbound),
      timeout: timeoutMs / 1000,
      execute: [
        client.enableNonRepudiationChecks,
        // Settings admit http on this machine alone.
        ...(isPlain ? [client.allowInsecureRequests] : []),
      ],
    },
  )
}

type Client = typeof import('openid-client')

/** By HTTP Basic, unless the provider only names the body (OpenID Connect Discovery, section 3). */
function authenticationBy(client: Client, secret: string): ReturnType<Client['ClientSecretBasic']> {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

/** Requests pass the guard, follow no redirect and read so many bytes at most. */
function guardedFetch(outbound: Lazy<Outbound>) {
  return async (
    url: string,
    { method, headers, body }: Pick<CustomFetchOptions, 'method' | 'headers'> & { body?: unknown },
  ): Promise<Response> => {
    const { fetch } = await outbound.get()
    const answer = await fetch({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      deadlineMs: timeoutMs,
      bodyMs: timeoutMs,
      maxBytes: mostBytes,
    })
    if (answer.outcome === 'failed') throw new Error(`no answer: ${answer.reason}`)
    if (!answer.complete) throw new Error('the answer is too long or broke off')
    const sent = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) sent.set(name, [value].flat().join(', '))
    }
    const isEmpty = answer.status === 204 || answer.status === 304
    return new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: sent,
    })
  }
}

const scopes = 'openid email profile'

/** By these a provider refuses a scope: RFC 6749 section 4.1.2.1, and Keycloak's own. */
const scopeRefusals: ReadonlySet<string> = new Set(['invalid_scope', 'not_allowed'])

/** Whether the browser comes back with a refusal of a scope, which anybody can have written. */
export const namesScopeRefusal = (url: URL): boolean =>
  scopeRefusals.has(url.searchParams.get('error') ?? '')

/**
 * What to do without next: a provider does not say which scope it refused. Offline access is tried
 * first, then groups with offline access, then both.
 */
function nextLacked(further: readonly string[], lacked: readonly string[]): string[] {
  const [groups, offline] = [['groups'], ['offline_access']].map((set) =>
    set.filter((scope) => further.includes(scope)),
  ) as [string[], string[]]
  const sets = [[], offline, groups, [...groups, ...offline]].filter(
    (set, index) => index === 0 || set.length > 0,
  )
  const isSame = (set: string[]) =>
    set.length === lacked.length && set.every((scope) => lacked.includes(scope))
  return sets[sets.findIndex(isSame) + 1] ?? [...groups, ...offline]
}

const keyOf = ({ issuer, clientId, clientSecret }: Provider): string =>
  JSON.stringify([issuer, clientId, clientSecret])

/**
 * Scopes that are asked for where the provider knows them: for groups where they give roles, as Okta
 * names none otherwise, and for offline access, so that the person can be asked for each hour.
 */
function furtherScopesOf({ ofBusiness }: Provider, config: Configuration): string[] {
  const supported = config.serverMetadata().scopes_supported ?? []
  const needed =
    (ofBusiness?.roles.length ?? 0) > 0 ? ['groups', 'offline_access'] : ['offline_access']
  return needed.filter((scope) => supported.includes(scope))
}

/** The longest refresh token that is kept, in characters; Entra's have about 2,000. */
const longestToken = 8_000

function refreshIn(
  tokens: TokenEndpointResponse,
  {
    provider: { clientId },
    wantedScope,
    isOffline,
  }: { provider: Provider; wantedScope: string; isOffline: boolean },
): RefreshToken | undefined {
  const { refresh_token: token, scope = wantedScope } = tokens
  if (!token || token.length > longestToken) return undefined
  // Keycloak says how long it lasts; there is no standard for it.
  const lifetime = tokens['refresh_expires_in']
  const isLimited = typeof lifetime === 'number' && lifetime > 0 && lifetime < 1e9
  return {
    token,
    clientId,
    outlives: isOffline || scope.split(' ').includes('offline_access'),
    ...(isLimited && { expiresAt: new Date(Date.now() + seconds(lifetime)).toISOString() }),
  }
}

/**
 * Google's `email_verified` says of an address elsewhere only that somebody could read it when they made
 * the account. Google itself stands for its own addresses, and for those of an organisation (`hd`).
 */
function isManagedByGoogle(email: string | undefined, hostedDomain: unknown): boolean {
  const domain = email === undefined ? undefined : domainOf(email)
  const isHosted = typeof hostedDomain === 'string' && hostedDomain !== ''
  return isHosted || domain === 'gmail.com' || domain === 'googlemail.com'
}

function claimsIn(all: Record<string, unknown>): Omit<Claims, 'refresh' | 'needsConsent'> {
  const text = (name: string) => {
    const value = all[name]
    return typeof value === 'string' && value.length <= longestClaim ? value : undefined
  }
  const email = normaliseEmail(text('email') ?? '')
  const groups = Array.isArray(all['groups']) ? all['groups'] : []
  return {
    issuer: text('iss') ?? '',
    subject: text('sub') ?? '',
    email: isRefusal(email) ? undefined : email,
    isEmailVerified: all['email_verified'] === true,
    groups: groups
      .filter((group): group is string => typeof group === 'string')
      .slice(0, mostGroups),
    lacksGroups: isDistributed(all, 'groups') || all['hasgroups'] === true,
    session: text('sid'),
  }
}

/** Whether a claim is to be asked for elsewhere (OpenID Connect Core, section 5.6.2). */
function isDistributed(all: Record<string, unknown>, claim: string): boolean {
  const names = all['_claim_names']
  return typeof names === 'object' && names !== null && Object.hasOwn(names, claim)
}

const notAccepted = ({ name }: Provider) =>
  refuse(
    'access_denied',
    `The sign-in at ${name} was not accepted. Try again, or sign in by email where your company allows it.`,
    {
      data: { reason: 'provider_not_accepted' },
      fix: { url: '/login' },
    },
  )

const cancelled = ({ name }: Provider) =>
  refuse('access_denied', `${name} did not sign you in. Try again, or sign in by email.`, {
    data: { reason: 'provider_cancelled' },
    fix: { url: '/login' },
  })
