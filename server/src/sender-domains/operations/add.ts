import { type Refusal, refuse } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { type BusinessContext, isConnection, operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { isThisMachine } from '../../lib/http-client/outbound-guard.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { Type } from '../../lib/schema/schema.ts'
import { overLimit, reserve } from '../../usage/reserve.ts'
import { makeKeys, type NewKeys } from '../keys/key-pair.ts'
import { putKeys } from '../keys/key-queries.ts'
import { findDomain } from '../keys/read-domains.ts'
import { checkJob } from '../model/check-job.ts'
import { type Domain, type DomainSettings, leastTtlSeconds } from '../model/domain.ts'
import { type DomainName, readDomainName } from '../model/domain-name.ts'
import { countCheck, type DomainFacility } from '../model/facility.ts'
import { acceptDomain, insertDomain } from '../model/queries.ts'
import { nextOnSchedule } from '../model/schedule.ts'
import { callPatience, checkDomain } from '../verification/check.ts'
import { domainInput, domainView, viewOf } from './view.ts'

/**
 * DNS proves the ownership of a domain: only its owner can publish the given key. So anyone may add
 * any domain, even one that another business has, and learns nothing from that.
 */
export function domainAdd(facility: DomainFacility) {
  const { settings } = facility
  return operation({
    name: 'domain.add',
    title: 'Add a domain',
    area: 'domains',
    everyday: true,
    summary: 'Add a domain to send from; gives the DNS records to set. It is checked by itself.',
    reach: 'business',
    scope: 'provisioning:write',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
    rest: 'POST /v1/domains',
    input: { domain: domainInput },
    output: Type.Object({
      created: Type.Boolean(),
      warning: Type.Optional(Type.String()),
      ...domainView.properties,
    }),

    async run(context, { domain: text }) {
      const { db, business, write } = context
      const read = await readDomainName(text)
      const warning = localWarning(settings)
      if (warning !== undefined && settings.gate === 'strict') {
        throw refuse('conflict', warning, { field: 'domain', data: { reason: 'local_domain' } })
      }
      const existing = await findDomain(db, business.id, { name: read.name })
      // Making keys and querying DNS take time, so neither happens inside the transaction.
      const prepared = existing ? undefined : await prepare(facility, context, read)
      return write(async (tx) => {
        const created = prepared !== undefined && (await add(tx, context, prepared))
        if (!created && !isConnection(context.principal)) await accept(tx, context, existing)
        const domain = await findDomain(tx, business.id, { name: read.name })
        if (!domain) throw justRemoved(read.name)
        return { created, ...(warning !== undefined && { warning }), ...viewOf(domain, settings) }
      })
    },
  })
}

/** A domain that a connected app added is the business's own once a person adds it too. */
async function accept(
  tx: Tx,
  { business, now, origin }: BusinessContext,
  domain: Domain | undefined,
): Promise<void> {
  if (!domain || (await acceptDomain(tx, business.id, domain.id, now)) === 0) return
  const entry = { businessId: business.id, action: 'domain.add', subject: domain.name }
  await recordAudit(tx, [{ ...entry, origin }], now)
}

/** A warning that the records would be useless: only this machine can reach the service. */
function localWarning({ trackingHost, bounceHost, gate }: DomainSettings): string | undefined {
  if (!isThisMachine(`http://${trackingHost}`)) return undefined
  const facts = `The public address of this service is ${trackingHost}, which only its own machine reaches. The records would point the tracking name at ${trackingHost} and bounces at ${bounceHost}, so no mailbox could follow them. Whoever runs the service sets BASE_URL to an address that the internet reaches, and BOUNCE_DOMAIN;`
  return gate === 'strict'
    ? `${facts} then add the domain. Until then it could not be verified, and nothing was added.`
    : `${facts} then remove this domain and add it again.`
}

interface Made {
  domain: Domain
  keys: NewKeys
}

/** The domain to store, with its records checked at once, because some may exist already. */
async function prepare(
  { resolver, vault, settings }: DomainFacility,
  { db, business, principal, now }: BusinessContext,
  { name, registrable }: DomainName,
): Promise<Made> {
  const tooOften = await countCheck(db, vault, { businessId: business.id, now })
  if (tooOften) throw tooOften
  const id = newId('domain')
  const keys = await makeKeys(vault, id, { slot: 1, ed25519: settings.ed25519 })
  const key = {
    slot: keys.slot,
    state: 'active' as const,
    rsaPublic: keys.rsa.publicKey,
    ed25519Public: keys.ed25519?.publicKey ?? null,
    seenAt: null,
    ttlSeconds: leastTtlSeconds,
    leavesAt: null,
    createdAt: now,
  }
  const named = { id, name, registrable, keys: [key] }
  const report = await checkDomain(resolver, named, settings, AbortSignal.timeout(callPatience))
  const domain: Domain = {
    ...named,
    businessId: business.id,
    status: 'pending',
    passes: 0,
    passedAt: null,
    misses: 0,
    missingSince: null,
    heldElsewhere: false,
    verifiedAt: null,
    awaitsPerson: isConnection(principal),
    checkedAt: now,
    nextCheckAt: nextOnSchedule(now, now),
    report,
    revision: 1,
    createdAt: now,
  }
  return { domain, keys }
}

/** Returns false if a simultaneous call was faster. */
async function add(
  tx: Tx,
  { business, now, origin }: BusinessContext,
  { domain, keys }: Made,
): Promise<boolean> {
  const businessId = business.id
  if ((await insertDomain(tx, domain, now)) === 0) return false
  const owner = { businessId, domainId: domain.id }
  await putKeys(tx, owner, { ...keys, state: 'active', ttlSeconds: leastTtlSeconds }, now)
  const demand = { businessId, metric: 'domains' as const, amount: 1, tier: business.tier }
  const [granted] = await reserve(tx, [{ ...demand, partial: false }], now)
  if (granted !== 1) throw overLimit('domains', business.tier)
  await enqueue(tx, [checkJob(domain)], now)
  const entry = { businessId, action: 'domain.add', subject: domain.name }
  await recordAudit(tx, [{ ...entry, origin }], now)
  return true
}

function justRemoved(name: string): Refusal {
  return refuse('conflict', `Another call removed ${name} at this moment. Add it again.`, {
    field: 'domain',
    fix: { tool: 'domain.add', arguments: { domain: name } },
    data: { reason: 'changed_meanwhile' },
  })
}
