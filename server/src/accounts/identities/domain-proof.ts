/**
 * A business proves by a DNS record that a mail domain is its own. A proof is looked at again each day
 * on which somebody signs in by it, and ends with the record.
 */
import type { Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import type { Resolver } from '../../lib/dns/resolver.ts'
import { days, later, seconds } from '../../lib/time/clock.ts'

/** The most domains of a business. */
export const mostDomains = 20

const checkedFor = days(1)
const patience = seconds(8)

export interface ProviderDomain {
  domain: string
  addedAt: Date
  provenAt: Date | null
  checkedAt: Date | null
}

export interface ProofParts {
  db: Database
  vault: Pick<Vault, 'hmac'>
  resolver: Pick<Resolver, 'lookup'>
}

/** The TXT record that proves it. */
export function recordOf(
  vault: Pick<Vault, 'hmac'>,
  businessId: Id<'business'>,
  domain: string,
): { name: string; value: string } {
  const mark = vault.hmac('provider-domain', `${businessId} ${domain}`).toString('base64url')
  return { name: `_crier-sign-in.${domain}`, value: `crier-sign-in=${mark}` }
}

/** `lost`: another business has proven it, whose record is still there. */
export type ProofOutcome = 'proven' | 'missing' | 'unanswered' | 'lost'

/** Looks the record up, and writes what it shows. */
export async function proveDomain(
  parts: ProofParts,
  businessId: Id<'business'>,
  { domain, now }: { domain: string; now: Date },
): Promise<ProofOutcome> {
  const seen = await lookFor(parts, businessId, domain)
  if (seen === undefined) return 'unanswered'
  if (seen && !(await isFree(parts, businessId, { domain, now }))) return 'lost'
  return parts.db.tx(async (tx) => {
    if (seen && !(await claim(tx, businessId, { domain, now }))) return 'lost'
    await tx.run(sql`
      update provider_domains
      set proven_at = case when ${seen} then coalesce(proven_at, ${now}::timestamptz) end,
        checked_at = ${now}
      where business_id = ${businessId} and domain = ${domain}
    `)
    return seen ? 'proven' : 'missing'
  })
}

/** Takes the domain for the business, unless another has proven it at this moment. */
async function claim(
  tx: Tx,
  businessId: Id<'business'>,
  { domain, now }: { domain: string; now: Date },
): Promise<boolean> {
  await tx.run(sql`
    insert into provider_domain_claims (name, held_by, claimed_at)
    values (${domain}, ${businessId}, ${now}) on conflict (name) do nothing
  `)
  // Who comes second waits here, and then sees what the first has proven.
  const { holder } = await tx.one<{ holder: Id<'business'> }>(sql`
    select held_by as holder from provider_domain_claims where name = ${domain} for update
  `)
  if (holder === businessId) return true
  const { isHeld } = await tx.one<{ isHeld: boolean }>(sql`
    select exists (
      select from provider_domains
      where business_id = ${holder} and domain = ${domain} and proven_at is not null
    ) as "isHeld"
  `)
  if (isHeld) return false
  await tx.run(sql`
    update provider_domain_claims set held_by = ${businessId}, claimed_at = ${now}
    where name = ${domain}
  `)
  return true
}

/** Whether DNS has the record; undefined where it does not answer. */
async function lookFor(
  { vault, resolver }: ProofParts,
  businessId: Id<'business'>,
  domain: string,
): Promise<boolean | undefined> {
  const { name, value } = recordOf(vault, businessId, domain)
  const answer = await resolver.lookup(name, 'TXT', AbortSignal.timeout(patience))
  if (answer.outcome === 'failed') return undefined
  return answer.outcome === 'found' && answer.records.some(({ text }) => text.trim() === value)
}

/** Whether no other business has the domain; one whose record is gone loses it. */
async function isFree(
  parts: ProofParts,
  businessId: Id<'business'>,
  { domain, now }: { domain: string; now: Date },
): Promise<boolean> {
  const holder = await parts.db.maybe<{ businessId: Id<'business'> }>(sql`
    select business_id as "businessId" from provider_domains
    where domain = ${domain} and proven_at is not null and business_id <> ${businessId}
  `)
  if (!holder) return true
  if ((await lookFor(parts, holder.businessId, domain)) !== false) return false
  await parts.db.run(sql`
    update provider_domains set proven_at = null, checked_at = ${now}
    where business_id = ${holder.businessId} and domain = ${domain}
  `)
  return true
}

export function domainsOf(db: Db, businessId: Id<'business'>): Promise<ProviderDomain[]> {
  return db.all(sql`
    select domain, added_at as "addedAt", proven_at as "provenAt", checked_at as "checkedAt"
    from provider_domains where business_id = ${businessId}
    order by domain limit ${mostDomains}
  `)
}

/** The proven domains; each proof that is older than a day is looked at again first. */
export async function provenDomains(
  parts: ProofParts,
  businessId: Id<'business'>,
  now: Date,
): Promise<string[]> {
  const rows = (await domainsOf(parts.db, businessId)).filter(({ provenAt }) => provenAt !== null)
  const checks = rows.map(async ({ domain, checkedAt }) => {
    if (checkedAt !== null && later(checkedAt, checkedFor) > now) return [domain]
    const outcome = await proveDomain(parts, businessId, { domain, now })
    // A server of DNS that does not answer shuts nobody out.
    return outcome === 'proven' || outcome === 'unanswered' ? [domain] : []
  })
  return (await Promise.all(checks)).flat()
}
