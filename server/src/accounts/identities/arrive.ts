/**
 * Who signs in at a provider: the person of the issuer's subject; else somebody new, by an address that
 * counts. An account that exists is never taken over by its address: its person links it (link.ts).
 * The provider of a business signs in people of its proven domains alone.
 */
import { refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { type Role, roles } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { wasRemoved } from '../businesses/membership-queries.ts'
import { addMember, roleOf } from '../businesses/memberships.ts'
import { endInvitationOf } from '../members/invitations.ts'
import { findUserByEmail } from '../members/user.ts'
import type { User } from '../members/user-queries.ts'
import {
  ensureUser,
  findOrSignUpUser,
  type SignedInUser,
  type SignUpRule,
} from '../sign-in/sign-up.ts'
import { checkOtherWay } from './company-only.ts'
import { domainOf, type Provider } from './provider.ts'
import type { Claims } from './relying-party.ts'
import { keepRefresh, sealRefresh } from './renew.ts'

export type Arrival =
  | { kind: 'known'; user: SignedInUser }
  /** An account has the address; its person links it by a sign-in of their own. */
  | { kind: 'to_link'; role: Role | null }

export interface Arriving {
  vault: Pick<Vault, 'seal' | 'open'>
  provider: Provider
  claims: Claims
  rule: SignUpRule
  now: Date
  requestId: string
}

export async function arrive(
  tx: Tx,
  { vault, provider, claims, rule, now, requestId }: Arriving,
): Promise<Arrival> {
  const sealed = sealRefresh(vault, claims, claims.refresh)
  const { issuer, subject } = claims
  const { businessId } = provider
  const refresh = { issuer, subject, providerId: businessId, sealed, now }
  const person = await personOf(tx, claims)
  if (person) {
    checkDomain(provider, person.email)
    await checkOtherWay(tx, { email: person.email, providerId: businessId })
    await tx.run(sql`
      update identities set last_used_at = ${now}
      where issuer = ${issuer} and subject = ${subject}
    `)
    await keepRefresh(tx, vault, refresh)
    return { kind: 'known', user: person }
  }
  const email = countedAddress(provider, claims)
  await checkOtherWay(tx, { email, providerId: businessId })
  const existing = await findUserByEmail(tx, email)
  const isMember =
    existing && businessId && (await roleOf(tx, businessId, existing.id)) !== undefined
  const role = isMember ? null : roleIn(provider, claims)
  if (existing) return { kind: 'to_link', role }
  const user = businessId
    ? (await ensureUser(tx, email, now)).user
    : await findOrSignUpUser(tx, rule, email, now)
  await insertIdentity(tx, { issuer, subject, userId: user.id, now })
  await keepRefresh(tx, vault, refresh)
  if (businessId && role) {
    await join(tx, { businessId, user, issuer, subject, role, now, requestId })
  }
  return { kind: 'known', user }
}

function personOf(db: Db, { issuer, subject }: Claims): Promise<User | undefined> {
  return db.maybe(sql`
    select u.id, u.email from identities i join users u on u.id = i.user_id
    where i.issuer = ${issuer} and i.subject = ${subject}
  `)
}

/** The address by which a new person signs in; throws a refusal for one that nobody has verified. */
function countedAddress(provider: Provider, { email, isEmailVerified }: Claims): string {
  const { name, trustedDomains } = provider
  if (email === undefined) {
    const text = `${name} did not say your email address. Ask whoever runs it to release the claim email to Crier.`
    throw refuse('access_denied', text, { data: { reason: 'no_address' }, fix: { url: '/login' } })
  }
  checkDomain(provider, email)
  if (isEmailVerified || trustedDomains.includes(domainOf(email))) return email
  const text = `${name} has not verified ${email}. Sign in by email, or ask whoever set ${name} up here to trust its addresses.`
  throw refuse('access_denied', text, {
    data: { reason: 'address_not_verified' },
    fix: { url: '/login' },
  })
}

/** Throws a refusal for an address that the provider's business has not proven to be its own. */
function checkDomain({ name, ofBusiness }: Provider, email: string): void {
  if (!ofBusiness || ofBusiness.domains.includes(domainOf(email))) return
  throw refuse('access_denied', `${name} does not sign in people of ${domainOf(email)}.`, {
    data: { reason: 'foreign_domain' },
    fix: { url: '/login' },
  })
}

/** The greatest role of the person's groups, for the provider of a business. */
function roleIn({ name, ofBusiness }: Provider, { groups, lacksGroups }: Claims): Role | null {
  if (!ofBusiness) return null
  // Their groups might give them less than the role of everybody else.
  if (lacksGroups && ofBusiness.roles.length > 0) throw tooManyGroups(name)
  const groupNames = new Set(groups.map(withoutSlash))
  const own = ofBusiness.roles.filter(({ group }) => groupNames.has(withoutSlash(group)))
  const greatest = roles.findLast((role) => own.some((entry) => entry.role === role))
  const role = greatest ?? ofBusiness.defaultRole
  if (role) return role
  const text = `Your groups at ${name} have no role here. Ask an owner to invite you, or to give one of your groups a role.`
  throw refuse('access_denied', text, { data: { reason: 'no_group' }, fix: { url: '/login' } })
}

/** Keycloak names a group by its path, `/staff`, unless it is set to name it without. */
const withoutSlash = (group: string): string => group.replace(/^\//, '')

function tooManyGroups(name: string) {
  const text = `You are in more groups at ${name} than it names. Ask whoever runs ${name} to send only the groups of this application, or ask an owner to invite you.`
  return refuse('access_denied', text, {
    data: { reason: 'too_many_groups' },
    fix: { url: '/login' },
  })
}

export interface Joining {
  businessId: Id<'business'>
  user: User
  /** Who they are at the provider. */
  issuer: string
  subject: string
  role: Role
  now: Date
  requestId: string
}

/**
 * Makes somebody a member at their first sign-in; who is one already keeps their role. Whom an owner
 * removed is signed in alone, also once they have unlinked their account and start anew.
 */
export async function join(
  tx: Tx,
  { businessId, user, issuer, subject, role, now, requestId }: Joining,
): Promise<void> {
  if ((await roleOf(tx, businessId, user.id)) !== undefined) return
  if (await wasRemoved(tx, businessId, { ...user, issuer, subject })) return
  await addMember(tx, businessId, { userId: user.id, role, now })
  await endInvitationOf(tx, businessId, user.email)
  const origin = { connectionId: null, userId: user.id, callId: requestId }
  const entry = {
    businessId,
    action: 'company.join',
    subject: formatId('user', user.id),
    details: { role },
    origin,
  }
  await recordAudit(tx, [entry], now)
}

export interface NewIdentity {
  issuer: string
  subject: string
  userId: Id<'user'>
  now: Date
}

/** If one person signs in twice at once, the second sign-in is refused and tries again. */
export async function insertIdentity(
  tx: Tx,
  { issuer, subject, userId, now }: NewIdentity,
): Promise<void> {
  const inserted = await tx.run(sql`
    insert into identities (issuer, subject, user_id, created_at, last_used_at)
    values (${issuer}, ${subject}, ${userId}, ${now}, ${now})
    on conflict (issuer, subject) do nothing
  `)
  if (inserted === 1) return
  throw refuse('conflict', 'This company account was linked a moment ago. Start again.', {
    data: { reason: 'changed_meanwhile' },
    fix: { url: '/login' },
  })
}
