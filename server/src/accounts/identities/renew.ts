/**
 * A person who signed in at a provider is asked for there each hour, by a refresh token. Whom the
 * provider refuses loses their sessions here, their apps and API keys are held (holds.ts), and the
 * owners are told. What the person has ordered goes on.
 */
import type { Config } from '../../config.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { markRefused, refusalsOfMany, refusedWithin } from '../../core/provider-refusals.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Lazy } from '../../lib/concurrency/lazily.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import { enqueue, type Job, type JobKinds } from '../../lib/jobs/job.ts'
import type { Log } from '../../lib/process/log.ts'
import { type Clock, days, hours, later, minutes, seconds } from '../../lib/time/clock.ts'
import { type FactorNotices, tellAdmins, tellOwners } from '../factors/notice.ts'
import { recordOfPerson } from '../factors/own-factor.ts'
import { emailOf } from '../members/user.ts'
import { type CompanyParts, providerOfBusiness } from './company.ts'
import { canHold, holdMember, releaseConfirmed, releaseRefused, withoutHolds } from './holds.ts'
import { ownProvider, type Provider } from './provider.ts'
import type { RefreshToken, RelyingParty, Renewal } from './relying-party.ts'

const checkEvery = hours(1)
/** How often at most a token is renewed that ends within the hour. */
const shortest = minutes(5)
/** After a provider that did not answer, or a job that broke off. Longer than a job may run. */
const againAfter = minutes(5)
/** A token that was not used for so long may have ended for that alone. */
const longestIdle = hours(24)

/** Requests that wait for one provider at a time, and for all. Each answers within seconds, or not at all. */
const mostOfProvider = 2
const mostOfAll = 8

/** Owners are told so often that their provider refuses many. */
const toldEvery = days(1)

const renewJob = 'people.company-check'

/** The identity that a job asks for. */
interface Identity {
  issuer: string
  subject: string
}

type Sealing = Pick<Vault, 'seal' | 'open'>

const contextOf = ({ issuer, subject }: Identity) => `identities ${issuer} ${subject}`

export function sealRefresh(
  vault: Pick<Vault, 'seal'>,
  identity: Identity,
  refresh: RefreshToken | undefined,
): Buffer | null {
  if (!refresh) return null
  return vault.seal(contextOf(identity), Buffer.from(JSON.stringify(refresh)))
}

function openRefresh(vault: Pick<Vault, 'open'>, identity: Identity, sealed: Buffer): RefreshToken {
  return JSON.parse(vault.open(contextOf(identity), sealed).toString()) as RefreshToken
}

/** Whether the person can be asked for already: by a token that the provider has not refused. */
export async function hasRefresh(db: Db, { issuer, subject }: Identity): Promise<boolean> {
  const row = await db.maybe(sql`
    select from identities
    where issuer = ${issuer} and subject = ${subject} and refresh_token is not null
      and refused_at is null
  `)
  return row !== undefined
}

/** When the token is used next: in an hour, or before the half of its life is over. */
function nextCheck({ expiresAt }: RefreshToken, now: Date): Date {
  if (expiresAt === undefined) return later(now, checkEvery)
  const half = (new Date(expiresAt).getTime() - now.getTime()) / 2
  return later(now, Math.min(checkEvery, Math.max(shortest, half)))
}

/**
 * Keeps the refresh token of a sign-in, and lets go on what was held. Where the provider gave none, the
 * one before stays, unless the provider has refused it: the sign-in confirms the person all the same.
 */
export async function keepRefresh(
  tx: Tx,
  vault: Sealing,
  {
    issuer,
    subject,
    providerId,
    sealed,
    now,
  }: Identity & { providerId: Id<'business'> | null; sealed: Buffer | null; now: Date },
): Promise<void> {
  await releaseConfirmed(tx, { issuer, subject, providerId, now })
  if (!sealed) {
    await tx.run(sql`
      update identities
      set refresh_token = null, check_at = null, asked_at = null, refused_at = null
      where issuer = ${issuer} and subject = ${subject} and refused_at is not null
    `)
    return
  }
  const checkAt = nextCheck(openRefresh(vault, { issuer, subject }, sealed), now)
  await tx.run(sql`
    update identities
    set provider_id = ${providerId}, refresh_token = ${sealed}, check_at = ${checkAt},
      asked_at = null, refused_at = null
    where issuer = ${issuer} and subject = ${subject}
  `)
  await queueCheck(tx, { issuer, subject, providerId }, { checkAt, now })
}

/** Queues a check in the lane of its provider, so that one that is slow delays its own people alone. */
async function queueCheck(
  tx: Tx,
  { issuer, subject, providerId }: Identity & { providerId: Id<'business'> | null },
  { checkAt, now }: { checkAt: Date; now: Date },
): Promise<void> {
  const lane = providerId ?? issuer
  const payload = { issuer, subject }
  await enqueue(tx, [{ kind: renewJob, businessId: null, lane, payload, dueAt: checkAt }], now)
}

export interface RenewalDeps {
  db: Database
  clock: Clock
  log: Log
  vault: CompanyParts['vault']
  resolver: CompanyParts['resolver']
  party: Lazy<RelyingParty>
  notices: FactorNotices
  config: Pick<Config, 'appUrl' | 'companySignIn'>
}

export function renewalJobs(deps: RenewalDeps): JobKinds {
  return {
    [renewJob]: {
      retryDelays: [seconds(30), minutes(5), hours(1)],
      timeoutMs: seconds(60),
      perLane: mostOfProvider,
      atOnce: mostOfAll,
      run: (job) => check(deps, (job as Job<Identity>).payload),
    },
  }
}

interface Checked extends Identity {
  userId: Id<'user'>
  /** Whether the provider refused the person at the check before too, among many. */
  wasRefused: boolean
  providerId: Id<'business'> | null
  sealed: Buffer
  /** Whether the token may be spent, by a check that never ended, or over, by a pause of ours. */
  isUncertain: boolean
}

async function check(deps: RenewalDeps, identity: Identity): Promise<void> {
  const { db, clock, vault, log } = deps
  const begun = await begin(db, identity, clock.now())
  if (!begun) return
  const refresh = openRefresh(vault, identity, begun.sealed)
  const provider = await providerOf(deps, begun, refresh)
  const renewal = provider && (await ask(deps, provider, { refresh, subject: identity.subject }))
  const now = clock.now()
  await db.tx(async (tx) => {
    if (!(await isCurrent(tx, begun))) return
    // Without its provider nobody can be asked: its sessions end after a day at most.
    if (!provider) return forget(tx, begun)
    // The next check is queued already.
    if (!renewal) return
    if (renewal.outcome === 'renewed') {
      const sealed = sealRefresh(vault, begun, renewal.refresh)
      const { issuer, subject, providerId } = begun
      return keepRefresh(tx, vault, { issuer, subject, providerId, sealed, now })
    }
    const isOver = refresh.expiresAt !== undefined && new Date(refresh.expiresAt) <= now
    // A token that ends with the session there says nothing about the person, nor does a spent one.
    const isGone = refresh.outlives && !isOver && !begun.isUncertain
    log.warn({ issuer: begun.issuer, gone: isGone }, 'provider.refused_refresh')
    if (isGone) return judge(tx, deps, { ...begun, provider, now })
    await forget(tx, begun)
    await endSessions(tx, begun, now)
  })
}

/**
 * In a business where the provider refuses most at once, nothing ends, and the person is asked for
 * again. Elsewhere the person is gone.
 */
async function judge(tx: Tx, deps: RenewalDeps, gone: Gone): Promise<void> {
  const { userId, provider, now } = gone
  await markRefused(tx, gone, now)
  const own = await tx.all<{ id: Id<'business'>; isShared: boolean }>(sql`
    select m.business_id as id, exists (
      select from memberships o where o.business_id = m.business_id and o.user_id <> m.user_id
    ) as "isShared"
    from memberships m
    where m.user_id = ${userId}
      and (${provider.businessId}::uuid is null or m.business_id = ${provider.businessId})
    order by 1
  `)
  const refusing = (await refusalsOfMany(tx, gone, now)).map(({ businessId }) => businessId)
  const elsewhere = own.filter(({ id }) => !refusing.includes(id))
  const isOfMany = provider.businessId ? refusing.length > 0 : elsewhere.length < own.length
  if (!isOfMany) {
    await forget(tx, gone)
    await markRefused(tx, gone, now)
    const businessIds = elsewhere.map(({ id }) => id)
    return end(tx, deps, { ...gone, wasRefused: false, businessIds })
  }
  await askAgain(tx, deps, { ...gone, businessIds: refusing })
  // A business of their own has nobody whom an end would protect.
  const businessIds = elsewhere.filter(({ isShared }) => isShared).map(({ id }) => id)
  if (businessIds.length > 0) await end(tx, deps, { ...gone, businessIds })
}

/**
 * Takes the check, unless a later sign-in has put it off. The next one is queued with it, so that a
 * job which breaks off is not the last, and no other asks with the same token meanwhile.
 */
function begin(
  db: Database,
  { issuer, subject }: Identity,
  now: Date,
): Promise<Checked | undefined> {
  return db.tx(async (tx) => {
    const row = await tx.maybe<
      Omit<Checked, 'isUncertain'> & { askedAt: Date | null; dueAt: Date }
    >(sql`
      select issuer, subject, user_id as "userId", provider_id as "providerId",
        refresh_token as sealed, asked_at as "askedAt", check_at as "dueAt",
        refused_at is not null as "wasRefused"
      from identities
      where issuer = ${issuer} and subject = ${subject} and refresh_token is not null
        and check_at <= ${now}
      for update
    `)
    if (!row) return undefined
    const checkAt = later(now, againAfter)
    await tx.run(sql`
      update identities set asked_at = ${now}, check_at = ${checkAt}
      where issuer = ${issuer} and subject = ${subject}
    `)
    await queueCheck(tx, row, { checkAt, now })
    const { askedAt, dueAt, ...rest } = row
    const isLate = now.getTime() - dueAt.getTime() >= longestIdle
    return { ...rest, isUncertain: askedAt !== null || isLate }
  })
}

/** Whether nobody signed in meanwhile, and so gave another token. */
async function isCurrent(tx: Tx, { issuer, subject, sealed }: Checked): Promise<boolean> {
  const row = await tx.maybe(sql`
    select from identities
    where issuer = ${issuer} and subject = ${subject} and refresh_token = ${sealed}
    for update
  `)
  return row !== undefined
}

async function providerOf(
  { db, vault, resolver, config, clock }: RenewalDeps,
  { providerId, issuer }: Checked,
  { clientId }: RefreshToken,
): Promise<Provider | undefined> {
  const parts = { db, vault, resolver, appUrl: config.appUrl }
  const provider = providerId
    ? await providerOfBusiness(parts, providerId, clock.now())
    : ownProvider(config)
  // A token is bound to the client that got it (RFC 6749, section 10.4): of another it is refused.
  return provider?.issuer === issuer && provider.clientId === clientId ? provider : undefined
}

/** Undefined where the provider says neither that the person is there nor that they are not. */
async function ask(
  { party, log }: RenewalDeps,
  provider: Provider,
  { refresh, subject }: { refresh: RefreshToken; subject: string },
): Promise<Renewal | undefined> {
  try {
    return await (await party.get()).renew(provider, refresh, subject)
  } catch (err) {
    log.warn({ issuer: provider.issuer, err }, 'provider.unanswered')
    return undefined
  }
}

async function forget(tx: Tx, { issuer, subject }: Identity): Promise<void> {
  await tx.run(sql`
    update identities
    set refresh_token = null, check_at = null, asked_at = null, refused_at = null
    where issuer = ${issuer} and subject = ${subject}
  `)
}

/**
 * Ends nothing, and asks again in an hour: whoever signs in meanwhile is confirmed by that. The owners
 * of the provider's business are told once a day; the operator sees it on the page Status.
 */
async function askAgain(tx: Tx, { notices, log }: RenewalDeps, refused: GoneIn): Promise<void> {
  const { issuer, subject, provider, businessIds, now } = refused
  const checkAt = later(now, checkEvery)
  await tx.run(sql`
    update identities set check_at = ${checkAt}, asked_at = null
    where issuer = ${issuer} and subject = ${subject}
  `)
  await queueCheck(tx, refused, { checkAt, now })
  log.warn({ issuer }, 'provider.refuses_many')
  // Those whom it refused before were among them.
  const { providerId } = refused
  const since = later(now, -refusedWithin)
  await releaseRefused(tx, businessIds, { issuer, providerId, since, now })
  const { businessId } = provider
  if (businessId === null) return
  const untold = await tx.run(sql`
    update identity_providers set refusals_told_at = ${now}
    where business_id = ${businessId}
      and (refusals_told_at is null or refusals_told_at <= ${later(now, -toldEvery)})
  `)
  if (untold === 0) return
  await recordAudit(tx, [{ businessId, action: 'company.refuses_many' }], now)
  await tellOwners(tx, notices, { businessId, event: 'refuses_many', now })
}

/** The session there is over: those end which it opened. */
async function endSessions(tx: Tx, { issuer, subject, userId }: Checked, now: Date): Promise<void> {
  const ended = await tx.run(sql`
    delete from sessions where issuer = ${issuer} and subject = ${subject}
  `)
  if (ended > 0) await recordOfPerson(tx, { userId, action: 'company.log_out' }, now)
}

interface Gone extends Checked {
  provider: Provider
  now: Date
}

interface GoneIn extends Gone {
  businessIds: readonly Id<'business'>[]
}

/**
 * Ends the sessions, but for one by the passkey which an owner keeps for an outage of this provider,
 * holds the person in the businesses, and tells the owners.
 */
async function end(tx: Tx, { notices }: RenewalDeps, gone: GoneIn): Promise<void> {
  const { userId, issuer, subject, provider, businessIds, now } = gone
  await tx.run(sql`
    delete from sessions s
    where s.user_id = ${userId} and not exists (
      select from identity_providers p
      where p.business_id = ${provider.businessId} and p.is_only
        and p.break_glass_passkey = s.proven_with
    )
  `)
  const email = (await emailOf(tx, userId)) ?? ''
  const holding: Id<'business'>[] = []
  for (const businessId of await withoutHolds(tx, businessIds, userId)) {
    const isHeld = await canHold(tx, businessId, userId)
    // Those who could not be told better are told once, not each hour.
    if (!isHeld && gone.wasRefused) continue
    const entry = { businessId, action: 'company.gone', subject: formatId('user', userId), userId }
    await recordAudit(tx, [{ ...entry, details: { held: isHeld } }], now)
    const person = { businessId, userId, email, now }
    if (isHeld) {
      holding.push(businessId)
      await tellOwners(tx, notices, { ...person, event: 'gone' })
    } else await tellAdmins(tx, notices, { ...person, event: 'owner_gone' })
  }
  const { businessId: providerId } = provider
  await holdMember(tx, holding, { userId, issuer, subject, providerId, now })
}
