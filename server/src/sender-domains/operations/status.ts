import { type Refusal, refuse } from '../../core/errors.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { Type } from '../../lib/schema/schema.ts'
import { findDomain, listDomains } from '../keys/read-domains.ts'
import type { Domain } from '../model/domain.ts'
import { readDomainName } from '../model/domain-name.ts'
import { countCheck, type DomainFacility } from '../model/facility.ts'
import type { RefusingProvidersOf, WarmUpOf } from '../model/warm-up.ts'
import { callPatience, checkDomain } from '../verification/check.ts'
import { recordCheck } from '../verification/record-check.ts'
import { volumeViewOf } from '../volume/volume.ts'
import { findVolume } from '../volume/volume-queries.ts'
import { domainInput, domainView, lineOf, noSuchDomain, viewOf } from './view.ts'
import { shownRefusals, shownWarmUp } from './warm-up.ts'

/** A check that a caller requests counts like a scheduled check. */
export function domainStatus(
  facility: DomainFacility,
  warmUpOf: WarmUpOf = () => Promise.resolve(undefined),
  refusingProvidersOf: RefusingProvidersOf = () => Promise.resolve([]),
) {
  const { settings } = facility
  return operation({
    name: 'domain.status',
    title: 'Domains',
    area: 'domains',
    everyday: true,
    summary: 'Sender domains: what DNS has and how to fix it. Without domain, all.',
    reach: 'business',
    scope: 'provisioning:write',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
    rest: ['GET /v1/domains', 'GET /v1/domains/:domain'],
    input: {
      domain: Type.Optional(domainInput),
      check: Type.Optional(Type.Boolean({ description: 'Ask DNS now.' })),
      ...pageInput,
    },
    output: Type.Object({ domains: Type.Array(domainView), next_cursor: nextCursor }),

    async run(context, { domain: text, check = false, ...paging }) {
      const { db, business } = context
      if (text !== undefined) {
        const domain = await oneDomain(facility, context, { text, check })
        const warmUp = await shownWarmUp(warmUpOf, business.id, domain)
        const refusedBy = await shownRefusals(refusingProvidersOf, domain)
        const volume = await findVolume(db, { businessId: business.id, domainId: domain.id })
        const more = {
          ...(refusedBy.length > 0 && { refused_by: refusedBy }),
          ...(warmUp && { warm_up: warmUp }),
          ...(volume && { past_volume: volumeViewOf(volume) }),
        }
        return { domains: [{ ...viewOf(domain, settings), ...more }] }
      }
      if (check) throw whichOne()
      const page = pageOf('domain', paging)
      const rows = await listDomains(db, business.id, page)
      const view = (domain: Domain) => lineOf(domain, settings)
      const { shown, next } = pageFrom('domain', rows, page, view)
      return { domains: shown.map(view), ...next }
    },
  })
}

async function oneDomain(
  facility: DomainFacility,
  context: BusinessContext,
  { text, check }: { text: string; check: boolean },
): Promise<Domain> {
  const { db, business } = context
  const read = await readDomainName(text)
  const domain = await findDomain(db, business.id, read)
  if (!domain) throw noSuchDomain(read.name)
  return check ? checked(facility, context, domain) : domain
}

async function checked(
  { resolver, vault, settings }: DomainFacility,
  { db, business, now, write, origin }: BusinessContext,
  domain: Domain,
): Promise<Domain> {
  const tooOften = await countCheck(db, vault, { businessId: business.id, now })
  if (tooOften) throw tooOften
  const report = await checkDomain(resolver, domain, settings, AbortSignal.timeout(callPatience))
  const after = await write(async (tx) => recordCheck(tx, { domain, report, origin }, now))
  // Another check was faster, and its result is just as new.
  const current = after ?? (await findDomain(db, business.id, domain))
  if (!current) throw noSuchDomain(domain.name)
  return current
}

function whichOne(): Refusal {
  return refuse('invalid_request', 'domain is missing: check queries DNS for one domain.', {
    field: 'domain',
    fix: { tool: 'domain.status', arguments: {} },
    data: { reason: 'missing' },
  })
}
