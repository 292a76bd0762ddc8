/**
 * A sign-in at a provider: begun in a browser, and answered once, in the same browser and by the same
 * provider. State, nonce and verifier are HMACs of its id, so that no row holds them.
 */
import { refuse } from '../../core/errors.ts'
import { type Id, newId } from '../../core/ids.ts'
import type { Role } from '../../core/operation.ts'
import { sameBytes, sha256, type Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { countAttempt, networkOf } from '../../lib/rate-limit/attempts.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import type { Provider } from './provider.ts'
import {
  type Claims,
  type LackedScopes,
  namesScopeRefusal,
  type RelyingParty,
  type SignInSecrets,
} from './relying-party.ts'
import { sealRefresh } from './renew.ts'

/** How long a person has at the provider, and then for a second factor or to link an account. */
const answerFor = minutes(10)

/** Sign-ins that one network begins in a quarter of an hour. */
const perNetwork = 60
const windowMs = minutes(15)

export interface ProviderSignIn {
  id: Id<'link'>
  /** Whose provider it is; null for that of the installation. */
  businessId: Id<'business'> | null
  issuer: string
  browserHash: Buffer
  /** Our own page to which it leads. */
  next: string
  expiresAt: Date
  answeredAt: Date | null
  /** Whether the provider asked the person for consent once more. */
  asksConsent: boolean
  /** Undefined once it was answered. */
  lacksScopes?: LackedScopes
  subject: string | null
  email: string | null
  providerSession: string | null
  userId: Id<'user'> | null
  /** The role of somebody who is new in the business. */
  role: Role | null
  /** Sealed. */
  refreshToken: Buffer | null
  endedAt: Date | null
}

/** A sign-in that its person has still to end here. */
export interface PendingSignIn extends ProviderSignIn {
  subject: string
}

export interface AttemptParts {
  db: Db
  vault: Pick<Vault, 'hmac'>
  party: RelyingParty
}

export interface BegunSignIn {
  provider: Provider
  /** The value of the browser's cookie. */
  browser: string
  next: string
  /** Where the provider sends the browser. */
  returnUrl: string
  email: string | undefined
  asksConsent?: boolean
  /** The network address of the person. */
  from: string
  now: Date
}

/** Begins a sign-in; returns the address at the provider. */
export async function beginSignIn(
  { db, vault, party }: AttemptParts,
  { provider, browser, next, returnUrl, email, asksConsent = false, from, now }: BegunSignIn,
): Promise<URL> {
  const attempt = { purpose: 'provider-sign-in', subject: networkOf(from), limit: perNetwork }
  const tooMany = await countAttempt(db, vault, { ...attempt, windowMs, now })
  if (tooMany) throw tooMany
  const id = newId('link')
  const secrets = secretsOf(vault, id)
  const lacksScopes = await lackedScopes(db, { provider, browser, now })
  const request = { ...secrets, returnUrl, email, asksConsent, lacksScopes }
  const url = await party.authorizationUrl(provider, request)
  await db.run(sql`
    insert into provider_sign_ins
      (id, state_hash, provider_id, issuer, browser_hash, next, asks_consent, lacks_scopes,
        created_at, expires_at)
    values (${id}, ${sha256(secrets.state)}, ${provider.businessId}, ${provider.issuer},
      ${sha256(browser)}, ${next}, ${asksConsent}, ${lacksScopes}, ${now},
      ${later(now, answerFor)})
  `)
  return url
}

/** What a sign-in does without, since the provider refused a scope of the one before in this browser. */
async function lackedScopes(
  db: Db,
  { provider, browser, now }: Pick<BegunSignIn, 'provider' | 'browser' | 'now'>,
): Promise<string[] | null> {
  const last = await db.maybe<{ scopes: string[] | null }>(sql`
    select lacks_scopes as scopes from provider_sign_ins
    where browser_hash = ${sha256(browser)} and issuer = ${provider.issuer}
      and provider_id is not distinct from ${provider.businessId}::uuid and expires_at > ${now}
    order by created_at desc, id desc limit 1
  `)
  return last?.scopes ?? null
}

function secretsOf(vault: Pick<Vault, 'hmac'>, id: Id<'link'>): SignInSecrets {
  const secret = (purpose: string) => vault.hmac(purpose, id).toString('base64url')
  return {
    state: secret('provider-state'),
    nonce: secret('provider-nonce'),
    verifier: secret('provider-verifier'),
  }
}

/** Takes the provider's answer, once, in the browser that began; throws a refusal for any other. */
export async function answerSignIn(
  { db, vault, party }: AttemptParts,
  {
    provider,
    browser,
    url,
    now,
  }: { provider: Provider; browser: string | undefined; url: URL; now: Date },
): Promise<{ signIn: ProviderSignIn; claims: Claims }> {
  const stateHash = sha256(url.searchParams.get('state') ?? '')
  const begun = await db.maybe<ProviderSignIn>(sql`
    select id, provider_id as "businessId", issuer, browser_hash as "browserHash", next, expires_at as "expiresAt",
      answered_at as "answeredAt", asks_consent as "asksConsent", lacks_scopes as "lacksScopes"
    from provider_sign_ins
    where state_hash = ${stateHash} and provider_id is not distinct from ${provider.businessId}::uuid
  `)
  if (!begun || begun.issuer !== provider.issuer) throw unknown()
  checkBrowser(begun, browser)
  const answered = await db.run(sql`
    update provider_sign_ins set answered_at = ${now}
    where id = ${begun.id} and answered_at is null and expires_at > ${now}
  `)
  if (answered === 0) throw over()
  const { id, lacksScopes = null } = begun
  if (namesScopeRefusal(url)) {
    const fewer = await party.fewerScopes(provider, lacksScopes)
    await db.run(sql`update provider_sign_ins set lacks_scopes = ${fewer} where id = ${id}`)
  }
  const claims = await party.claimsFor(provider, { ...secretsOf(vault, id), url, lacksScopes })
  if (claims.issuer !== provider.issuer || claims.subject === '') throw unknown()
  return { signIn: begun, claims }
}

/** Keeps whom the provider named, until they have linked their account or given a second factor. */
export async function keepAnswer(
  tx: Tx,
  vault: Pick<Vault, 'seal'>,
  {
    id,
    claims,
    userId,
    role,
    now,
  }: {
    id: Id<'link'>
    claims: Claims
    userId: Id<'user'> | null
    role: Role | null
    now: Date
  },
): Promise<void> {
  await tx.run(sql`
    update provider_sign_ins
    set subject = ${claims.subject}, email = ${claims.email ?? null}, user_id = ${userId},
      provider_session = ${claims.session ?? null}, role = ${role},
      refresh_token = ${sealRefresh(vault, claims, claims.refresh)},
      expires_at = ${later(now, answerFor)}
    where id = ${id}
  `)
}

/** A sign-in whose answer was kept, in the browser that began the sign-in. */
export async function pendingSignIn(
  db: Db,
  id: Id<'link'>,
  { browser, now }: { browser: string | undefined; now: Date },
): Promise<PendingSignIn> {
  const pending = await db.maybe<PendingSignIn>(sql`
    select id, provider_id as "businessId", issuer, browser_hash as "browserHash", next, expires_at as "expiresAt",
      answered_at as "answeredAt", asks_consent as "asksConsent", subject, email, provider_session as "providerSession",
      user_id as "userId", role, refresh_token as "refreshToken", ended_at as "endedAt"
    from provider_sign_ins where id = ${id} and subject is not null
  `)
  if (!pending) throw unknown()
  checkBrowser(pending, browser)
  if (pending.endedAt || pending.expiresAt <= now) throw over()
  return pending
}

/** Ends a sign-in in the transaction that uses it; of two at one moment, one is refused. */
export async function endAnswer(tx: Tx, id: Id<'link'>, now: Date): Promise<void> {
  const ended = await tx.run(sql`
    update provider_sign_ins set ended_at = ${now} where id = ${id} and ended_at is null
  `)
  if (ended === 0) throw over()
}

function checkBrowser({ browserHash }: ProviderSignIn, browser: string | undefined): void {
  if (browser !== undefined && sameBytes(sha256(browser), browserHash)) return
  throw refuse('access_denied', 'This sign-in was begun in another browser. Start again here.', {
    data: { reason: 'other_browser' },
    fix: { url: '/login' },
  })
}

const unknown = () =>
  refuse('access_denied', 'This sign-in was not begun here. Start again.', {
    data: { reason: 'unknown_sign_in' },
    fix: { url: '/login' },
  })

const over = () =>
  refuse('gone', 'This sign-in has been used, or is older than 10 minutes. Start again.', {
    data: { reason: 'sign_in_over' },
    fix: { url: '/login' },
  })
