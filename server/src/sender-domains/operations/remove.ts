import { heldField, holdRemoval } from '../../accounts/removals/removal.ts'
import type { Id } from '../../core/ids.ts'
import { isConnection, type Origin, operation } from '../../core/operation.ts'
import { checkTakesDataOut } from '../../core/taking-out.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { release } from '../../usage/reserve.ts'
import { deleteKeys } from '../keys/key-queries.ts'
import { findDomain } from '../keys/read-domains.ts'
import { dropClaim } from '../model/claim-queries.ts'
import type { DomainSettings } from '../model/domain.ts'
import { readDomainName } from '../model/domain-name.ts'
import { deleteDomain } from '../model/queries.ts'
import { recordsOf } from '../records/records.ts'
import { domainInput } from './view.ts'

/** The domain's checks end by themselves: a job that finds no domain is done. */
export function domainRemove({ settings }: { settings: DomainSettings }) {
  return operation({
    name: 'domain.remove',
    title: 'Remove a domain',
    area: 'domains',
    summary: 'Stop sending from a domain; its keys are destroyed.',
    reach: 'business',
    scope: 'provisioning:write',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'DELETE /v1/domains/:domain',
    input: { domain: domainInput },
    output: Type.Object({
      domain: Type.String(),
      removed: Type.Boolean(),
      delete_from_dns: Type.Array(Type.String()),
      held: heldField,
    }),

    async run(context, { domain: text }) {
      const { business, now, principal, write, origin } = context
      const read = await readDomainName(text)
      checkTakesDataOut(context, { action: 'Removing a domain', page: '/domains' })
      return write(async (tx) => {
        if (isConnection(principal) && (await findDomain(tx, business.id, read))) {
          const order = { action: 'domain.remove', domain: read.name } as const
          const answer = { domain: read.name, removed: false, delete_from_dns: [] }
          return { ...answer, held: await holdRemoval(tx, context, order) }
        }
        const names = await removeDomain(tx, business.id, {
          name: read.name,
          origin,
          settings,
          now,
        })
        return { domain: read.name, removed: names !== undefined, delete_from_dns: names ?? [] }
      })
    },
  })
}

interface DomainRemoval {
  name: string
  origin: Origin
  settings: DomainSettings
  now: Date
}

/** Returns the names of its records, which may go from DNS; undefined if there is no such domain. */
export async function removeDomain(
  tx: Tx,
  businessId: Id<'business'>,
  { name, origin, settings, now }: DomainRemoval,
): Promise<string[] | undefined> {
  const domain = await findDomain(tx, businessId, { name })
  if (!domain || (await deleteDomain(tx, businessId, domain.id)) === 0) return undefined
  await deleteKeys(tx, { businessId, domainId: domain.id })
  await dropClaim(tx, { name: domain.name, domainId: domain.id })
  await release(tx, [{ businessId, metric: 'domains', amount: 1 }], now)
  const entry = { businessId, action: 'domain.remove', subject: domain.name }
  await recordAudit(tx, [{ ...entry, origin }], now)
  // A DMARC policy may also apply to other mail of the domain, so it stays.
  const own = recordsOf(domain, settings).filter(({ id }) => id !== 'dmarc')
  return [...new Set(own.map((record) => record.name))]
}
