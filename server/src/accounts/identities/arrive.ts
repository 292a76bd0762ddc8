/**
 * Who signs in at a provider: the person of the issuer's subject; else somebody new, by an address that
 * counts. An account that exists is never taken over by its address: its person links it (link.ts).
 */
import { refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { findUserByEmail } from '../members/user.ts'
import type { User } from '../members/user-queries.ts'
import { findOrSignUpUser, type SignedInUser, type SignUpRule } from '../sign-in/sign-up.ts'
import { domainOf, type Provider } from './provider.ts'
import type { Claims } from './relying-party.ts'

export type Arrival =
  | { kind: 'known'; user: SignedInUser }
  /** An account has the address; its person links it by a sign-in of their own. */
  | { kind: 'to_link'; email: string }

export interface Arriving {
  provider: Provider
  claims: Claims
  rule: SignUpRule
  now: Date
}

export async function arrive(tx: Tx, { provider, claims, rule, now }: Arriving): Promise<Arrival> {
  const person = await personOf(tx, claims)
  if (person) {
    await tx.run(sql`
      update identities set last_used_at = ${now}
      where issuer = ${claims.issuer} and subject = ${claims.subject}
    `)
    return { kind: 'known', user: person }
  }
  const email = countedAddress(provider, claims)
  if (await findUserByEmail(tx, email)) return { kind: 'to_link', email }
  const user = await findOrSignUpUser(tx, rule, email, now)
  await insertIdentity(tx, { ...claims, userId: user.id, now })
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
  if (isEmailVerified || trustedDomains.includes(domainOf(email))) return email
  const text = `${name} has not verified ${email}. Sign in by email, or ask whoever runs Crier to trust ${name} for ${domainOf(email)}.`
  throw refuse('access_denied', text, {
    data: { reason: 'address_not_verified' },
    fix: { url: '/login' },
  })
}

export interface NewIdentity {
  issuer: string
  subject: string
  userId: Id<'user'>
  now: Date
}

/** Of two sign-ins of one person at one moment, the second is refused and tries again. */
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
