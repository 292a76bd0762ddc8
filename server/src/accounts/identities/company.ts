/** The identity provider of a business: what its owner sets, and where a sign-in finds it. */
import { isIssuer } from '../../config/company-sign-in.ts'
import { orThrow, refuse } from '../../core/errors.ts'
import { checkProof } from '../../core/fresh-factor.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { type BusinessContext, operation, type Role } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { Type } from '../../lib/schema/schema.ts'
import {
  domainsOf,
  mostDomains,
  type ProofParts,
  proveDomain,
  provenDomains,
  recordOf,
} from './domain-proof.ts'
import { domainOf, type GroupRole, type Provider, returnUrlOf } from './provider.ts'

export interface CompanyParts extends ProofParts {
  vault: Pick<Vault, 'hmac' | 'seal' | 'open'>
  appUrl: string
}

const mostRoles = 100
const longestName = 60

interface StoredProvider {
  issuer: string
  clientId: string
  clientSecret: Buffer | null
  name: string
  trustsAddresses: boolean
  roles: GroupRole[]
  defaultRole: Role | null
  isOnly: boolean
}

const contextOf = (businessId: Id<'business'>) => `identity_providers ${businessId}`

function findStored(db: Db, businessId: Id<'business'>): Promise<StoredProvider | undefined> {
  return db.maybe(sql`
    select p.issuer, p.client_id as "clientId", p.client_secret as "clientSecret", p.name,
      p.trusts_addresses as "trustsAddresses", p.roles, p.default_role as "defaultRole", p.is_only as "isOnly"
    from identity_providers p join businesses b on b.id = p.business_id
    where p.business_id = ${businessId} and b.closed_at is null
  `)
}

/** The provider of a business, for its proven domains; undefined where it has none. */
export async function providerOfBusiness(
  parts: CompanyParts,
  businessId: Id<'business'>,
  now: Date,
): Promise<Provider | undefined> {
  const row = await findStored(parts.db, businessId)
  if (!row) return undefined
  const { issuer, clientId, name, clientSecret, trustsAddresses, roles, defaultRole } = row
  const domains = await provenDomains(parts, businessId, now)
  const secret = clientSecret && parts.vault.open(contextOf(businessId), clientSecret).toString()
  return {
    businessId,
    issuer,
    clientId,
    name,
    clientSecret: secret ?? undefined,
    trustedDomains: trustsAddresses ? domains : [],
    ofBusiness: { domains, roles, defaultRole },
  }
}

/** The provider at which the people of an address sign in. */
export async function providerOfAddress(
  parts: CompanyParts,
  address: string,
  now: Date,
): Promise<Provider | undefined> {
  const domain = domainOf(orThrow(normaliseEmail(address)))
  const holder = await parts.db.maybe<{ businessId: Id<'business'> }>(sql`
    select business_id as "businessId" from provider_domains
    where domain = ${domain} and proven_at is not null
  `)
  const provider = holder && (await providerOfBusiness(parts, holder.businessId, now))
  return provider?.ofBusiness?.domains.includes(domain) ? provider : undefined
}

/** Whether any business has its own sign-in here. */
export async function anyProvider(db: Db): Promise<boolean> {
  const { isAny } = await db.one<{ isAny: boolean }>(sql`
    select exists (select from provider_domains where proven_at is not null) as "isAny"
  `)
  return isAny
}

/** Who is new gets at most the rights of an admin: owners are made by owners. */
const grantable = Type.Enum(['viewer', 'approver', 'editor', 'admin'])

const domainInput = Type.String({
  minLength: 3,
  maxLength: 253,
  description: 'Such as example.com.',
})

const view = Type.Object({
  provider: Type.Union([
    Type.Object({
      issuer: Type.String(),
      client_id: Type.String(),
      has_secret: Type.Boolean(),
      name: Type.String(),
      trusts_addresses: Type.Boolean(),
      roles: Type.Array(Type.Object({ group: Type.String(), role: Type.String() })),
      default_role: Type.Union([Type.String(), Type.Null()]),
      only: Type.Boolean(),
    }),
    Type.Null(),
  ]),
  domains: Type.Array(
    Type.Object({
      domain: Type.String(),
      proven_at: Type.Union([Type.String(), Type.Null()]),
      record_name: Type.String({ description: 'Of the TXT record that proves it.' }),
      record_value: Type.String(),
    }),
  ),
  return_url: Type.String({ description: 'The redirect URI to register at the provider.' }),
})

async function viewOf({ vault, appUrl }: CompanyParts, db: Db, businessId: Id<'business'>) {
  const row = await findStored(db, businessId)
  const domains = await domainsOf(db, businessId)
  return {
    provider: row
      ? {
          issuer: row.issuer,
          client_id: row.clientId,
          has_secret: row.clientSecret !== null,
          name: row.name,
          trusts_addresses: row.trustsAddresses,
          roles: row.roles,
          default_role: row.defaultRole,
          only: row.isOnly,
        }
      : null,
    domains: domains.map(({ domain, provenAt }) => {
      const { name, value } = recordOf(vault, businessId, domain)
      return {
        domain,
        proven_at: provenAt?.toISOString() ?? null,
        record_name: name,
        record_value: value,
      }
    }),
    return_url: returnUrlOf({ appUrl }, formatId('business', businessId)),
  }
}

export function companyGet(parts: CompanyParts) {
  return operation({
    name: 'company.get',
    title: 'See the company sign-in',
    summary: 'The identity provider of the business, and the domains whose people sign in there.',
    reach: 'business',
    scope: 'meta:read',
    role: 'owner',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/company-sign-in',
    input: {},
    output: view,

    run: ({ db, business }) => viewOf(parts, db, business.id),
  })
}

export function companySave(parts: CompanyParts) {
  return operation({
    name: 'company.save',
    title: 'Set the company sign-in',
    summary:
      'Sets the identity provider (OpenID Connect) at which the people of the business sign in, for mail domains that a DNS record proves. Who signs in for the first time becomes a member with the role of their groups.',
    reach: 'business',
    scope: 'meta:read',
    role: 'owner',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'The company sign-in is changed',
    freshFactor: 'members',
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    rest: 'PUT /v1/company-sign-in',
    input: {
      issuer: Type.String({
        maxLength: 500,
        description: 'As the provider names itself: https://…',
      }),
      client_id: Type.String({ minLength: 1, maxLength: 255 }),
      client_secret: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1000,
          description: 'Without it, the one before stays.',
        }),
      ),
      name: Type.String({ minLength: 1, maxLength: longestName, pattern: '\\S' }),
      trusts_addresses: Type.Optional(
        Type.Boolean({ description: 'Whether its addresses count without email_verified.' }),
      ),
      roles: Type.Optional(
        Type.Array(
          Type.Object({ group: Type.String({ minLength: 1, maxLength: 255 }), role: grantable }),
          { maxItems: mostRoles, description: 'The greatest role of somebody’s groups counts.' },
        ),
      ),
      default_role: Type.Optional(
        Type.Union([grantable, Type.Null()], {
          description: 'Of who is in none of these groups; null: they are refused.',
        }),
      ),
      domains: Type.Array(domainInput, { maxItems: mostDomains }),
      only: Type.Optional(
        Type.Boolean({
          description:
            'Whether people of these domains sign in there alone. The passkey that you have just confirmed with still counts, for when the provider is down.',
        }),
      ),
    },
    output: view,

    async run(context, input) {
      const { business, write, now, origin, principal } = context
      const { issuer, client_id, client_secret, name, domains: names } = input
      if (!isIssuer(issuer)) throw wrongIssuer()
      const domains = [...new Set(names.map(readDomain))]
      const { id } = business
      const isOnly = input.only ?? false
      const passkey = isOnly ? breakGlassOf(context) : null
      return write(async (tx) => {
        const before = await findStored(tx, id)
        // A secret is for one provider: another never gets it.
        if (before?.clientSecret && before.issuer !== issuer && client_secret === undefined) {
          throw secretAnew()
        }
        const secret = client_secret && parts.vault.seal(contextOf(id), Buffer.from(client_secret))
        await tx.run(sql`
          insert into identity_providers (business_id, issuer, client_id, client_secret, name,
            trusts_addresses, roles, default_role, is_only, break_glass_passkey, saved_at, provider_since)
          values (${id}, ${issuer}, ${client_id}, ${secret ?? null}, ${name.trim()},
            ${input.trusts_addresses ?? false}, ${JSON.stringify(input.roles ?? [])}::jsonb,
            ${input.default_role ?? null}, ${isOnly}, ${passkey}, ${now}, ${now})
          on conflict (business_id) do update
          set issuer = excluded.issuer, client_id = excluded.client_id,
            client_secret = coalesce(excluded.client_secret, identity_providers.client_secret),
            name = excluded.name, trusts_addresses = excluded.trusts_addresses,
            roles = excluded.roles, default_role = excluded.default_role,
            is_only = excluded.is_only, break_glass_passkey = excluded.break_glass_passkey,
            saved_at = excluded.saved_at,
            provider_since = case
              when identity_providers.issuer = excluded.issuer
                and identity_providers.client_id = excluded.client_id
              then coalesce(identity_providers.provider_since, identity_providers.saved_at)
              else excluded.saved_at
            end
        `)
        await tx.run(sql`
          delete from provider_domains
          where business_id = ${id} and domain <> all (${domains}::text[])
        `)
        for (const domain of domains) {
          await tx.run(sql`
            insert into provider_domains (business_id, domain, added_at)
            values (${id}, ${domain}, ${now})
            on conflict (business_id, domain) do nothing
          `)
        }
        if (isOnly) await endOtherSessions(tx, id, { ownerId: principal.userId, issuer })
        const entry = { businessId: id, action: 'company.save', subject: formatId('business', id) }
        await recordAudit(
          tx,
          [{ ...entry, details: { issuer, domains: domains.join(' '), only: isOnly }, origin }],
          now,
        )
        return viewOf(parts, tx, id)
      })
    },
  })
}

export function companyProve(parts: CompanyParts) {
  return operation({
    name: 'company.prove',
    title: 'Check the record of a domain',
    summary: 'Looks for the DNS record that proves a domain of the company sign-in.',
    reach: 'business',
    scope: 'meta:read',
    role: 'owner',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
    rest: 'POST /v1/company-sign-in/prove',
    input: { domain: domainInput },
    output: Type.Object({
      outcome: Type.String({
        description:
          'proven, missing, unanswered (DNS did not answer), or lost (another business has proven it).',
      }),
      ...view.properties,
    }),

    async run({ db, business, write, now, origin }, { domain: typed }) {
      const domain = readDomain(typed)
      const rows = await domainsOf(db, business.id)
      if (!rows.some((row) => row.domain === domain)) throw noSuchDomain(domain)
      // DNS is asked outside of the transaction.
      const outcome = await proveDomain(parts, business.id, { domain, now })
      return write(async (tx) => {
        const entry = { businessId: business.id, action: 'company.prove', subject: domain, origin }
        await recordAudit(tx, [{ ...entry, details: { outcome } }], now)
        return { outcome, ...(await viewOf(parts, tx, business.id)) }
      })
    },
  })
}

export function companyRemove(parts: CompanyParts) {
  return operation({
    name: 'company.remove',
    title: 'Remove the company sign-in',
    summary: 'Removes the identity provider of the business. Its people sign in by mail again.',
    reach: 'business',
    scope: 'meta:read',
    role: 'owner',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'The company sign-in is removed',
    freshFactor: 'members',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'DELETE /v1/company-sign-in',
    input: {},
    output: view,

    async run({ business: { id }, write, now, origin }) {
      return write(async (tx) => {
        await tx.run(sql`delete from identity_providers where business_id = ${id}`)
        await tx.run(sql`delete from provider_domains where business_id = ${id}`)
        const subject = formatId('business', id)
        const entry = { businessId: id, action: 'company.remove', subject, origin }
        await recordAudit(tx, [entry], now)
        return viewOf(parts, tx, id)
      })
    },
  })
}

/** The passkey by which the owner has just confirmed: it is kept for when the provider is down. */
function breakGlassOf({ principal, now, appUrl }: BusinessContext): Id<'passkey'> {
  checkProof(principal, { now, appUrl, act: 'Other ways to sign in are turned off' })
  if (principal.provenWith) return principal.provenWith
  const text =
    'Confirm with a passkey, which still signs you in when the provider is down. You confirmed with a code.'
  throw refuse('conflict', text, { data: { reason: 'needs_passkey' } })
}

/** Ends the sessions of people of the domains that something else opened, but for the owner's own. */
function endOtherSessions(
  tx: Tx,
  businessId: Id<'business'>,
  { ownerId, issuer }: { ownerId: Id<'user'>; issuer: string },
): Promise<number> {
  return tx.run(sql`
    delete from sessions s using users u
    where u.id = s.user_id and s.issuer is distinct from ${issuer} and u.id <> ${ownerId}
      and split_part(u.email, '@', 2) in (
        select domain from provider_domains
        where business_id = ${businessId} and proven_at is not null
      )
  `)
}

/** A mail domain, in the form in which addresses have it. */
function readDomain(text: string): string {
  return domainOf(orThrow(normaliseEmail(`somebody@${text.trim()}`)))
}

const wrongIssuer = () =>
  refuse(
    'invalid_request',
    'The issuer is the https:// address by which the provider names itself, without query and fragment.',
    { field: 'issuer', data: { reason: 'wrong_issuer' } },
  )

const secretAnew = () =>
  refuse(
    'invalid_request',
    'The issuer is another one, so give the client secret for it as well.',
    { field: 'client_secret', data: { reason: 'secret_anew' } },
  )

const noSuchDomain = (domain: string) =>
  refuse('not_found', `${domain} is not a domain of the company sign-in. Add it first.`, {
    field: 'domain',
  })
