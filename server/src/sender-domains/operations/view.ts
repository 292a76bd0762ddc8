/** A domain as callers see it. */

import { type Refusal, refuse } from '../../core/errors.ts'
import { untrusted } from '../../core/untrusted.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { type Domain, type DomainSettings, domainStatuses } from '../model/domain.ts'
import { longestDomain, readableName } from '../model/domain-name.ts'
import { type DomainRecord, recordStatuses } from '../model/record.ts'
import { recordsOf } from '../records/records.ts'
import { zoneFile } from '../records/zone-file.ts'
import { maySend, missingForMarketing } from '../senders/eligibility.ts'
import { volumeView } from '../volume/volume.ts'
import { summaryOf } from './summary.ts'
import { refusedByView, warmUpView } from './warm-up.ts'

export const domainInput = Type.String({
  maxLength: longestDomain,
  description: 'mail.example.com',
})

const needs = ['verification', 'marketing', 'tracking', 'key_change', 'nothing'] as const

const recordView = Type.Object({
  type: Type.Enum(['TXT', 'CNAME', 'MX']),
  name: Type.String(),
  host: Type.String(),
  value: Type.String(),
  needed_for: Type.Enum(needs),
  status: Type.Enum(recordStatuses),
  remedy: Type.Optional(Type.String()),
  untrusted: Type.Optional(untrusted({ found: Type.Array(Type.String()) })),
})

export const domainView = Type.Object({
  domain: Type.String(),
  display_name: Type.Optional(Type.String()),
  status: Type.Enum(domainStatuses),
  summary: Type.String(),
  may_send: Type.Object({ transactional: Type.Boolean(), marketing: Type.Boolean() }),
  verified_at: Type.Union([Type.String(), Type.Null()], { description: `$ ISO 8601, UTC.` }),
  checked_at: Type.Union([Type.String(), Type.Null()], { description: `$ ISO 8601, UTC.` }),
  next_check_at: Type.String(),
  awaits_person: Type.Optional(Type.Boolean()),
  records: Type.Array(recordView),
  refused_by: Type.Optional(refusedByView),
  warm_up: Type.Optional(warmUpView),
  past_volume: Type.Optional(volumeView),
  zone_file: Type.Optional(Type.String()),
})
export type DomainView = Static<typeof domainView>

/** The domain with every record and the zone file. */
export function viewOf(domain: Domain, settings: DomainSettings): DomainView {
  const records = recordsOf(domain, settings)
  return {
    ...headOf(domain, settings),
    records: records.map((record) => recordViewOf(record, domain)),
    zone_file: zoneFile(records.filter((record) => isToBeSet(record, domain))),
  }
}

/** The domain with its incorrect records. */
export function lineOf(domain: Domain, settings: DomainSettings): DomainView {
  const views = recordsOf(domain, settings).map((record) => recordViewOf(record, domain))
  return { ...headOf(domain, settings), records: views.filter(({ status }) => status !== 'ok') }
}

function headOf(domain: Domain, settings: DomainSettings): Omit<DomainView, 'records'> {
  const { name, status, verifiedAt, awaitsPerson, checkedAt, nextCheckAt } = domain
  const readable = readableName(name)
  const isOpen = settings.gate === 'off'
  const isReady = status === 'verified' && missingForMarketing(domain, settings).length === 0
  return {
    domain: name,
    ...(readable !== name && { display_name: readable }),
    status,
    summary: summaryOf(domain, settings),
    may_send: { transactional: isOpen || maySend(domain), marketing: isOpen || isReady },
    verified_at: verifiedAt?.toISOString() ?? null,
    checked_at: checkedAt?.toISOString() ?? null,
    next_check_at: nextCheckAt.toISOString(),
    ...(awaitsPerson && { awaits_person: true }),
  }
}

function recordViewOf(
  { id, type, name, value, neededFor }: DomainRecord,
  { registrable, report }: Pick<Domain, 'registrable' | 'report'>,
): DomainView['records'][number] {
  const { status, remedy, found } = report[id] ?? { status: 'unknown', found: [] }
  return {
    type,
    name,
    host: name.slice(0, -registrable.length - 1),
    value,
    needed_for: neededFor,
    status,
    ...(remedy !== undefined && { remedy }),
    ...(found.length > 0 && { untrusted: { found } }),
  }
}

/** The owner keeps an existing policy, and a key that has left is not published again. */
function isToBeSet({ id, neededFor }: DomainRecord, { report }: Pick<Domain, 'report'>): boolean {
  if (id === 'dmarc') return report[id]?.status !== 'ok'
  return neededFor !== 'nothing' || id.startsWith('e')
}

/** The refusal is the same whether another business has the domain or no business has it. */
export function noSuchDomain(domain: string): Refusal {
  return refuse('not_found', `This business has no domain ${domain}.`, {
    field: 'domain',
    fix: { tool: 'domain.status', arguments: {} },
  })
}
