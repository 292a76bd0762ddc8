/** Checks all records of a domain. If a record is missing, checks where it may be by mistake. */

import type { Resolver } from '../../lib/dns/resolver.ts'
import { seconds } from '../../lib/time/clock.ts'
import type { Domain, DomainSettings, Report } from '../model/domain.ts'
import type { DomainRecord, Look, RecordFinding } from '../model/record.ts'
import { recordsOf } from '../records/records.ts'

/** The time limit of all queries of a check. It is shorter if a caller waits for the result. */
const patience = seconds(20)
export const callPatience = seconds(8)

export async function checkDomain(
  resolver: Resolver,
  domain: Pick<Domain, 'id' | 'name' | 'registrable' | 'keys'>,
  settings: DomainSettings,
  signal: AbortSignal = AbortSignal.timeout(patience),
): Promise<Report> {
  const look = askingOnce(resolver, signal)
  const findings = recordsOf(domain, settings).map(async (record) => {
    const finding = await record.find(look, record.name)
    return [record.id, await explained(record, finding, { look, domain })] as const
  })
  return Object.fromEntries(await Promise.all(findings))
}

function askingOnce(resolver: Resolver, signal: AbortSignal): Look {
  const lookups = new Map<string, Promise<unknown>>()
  return ((name, type) => {
    const key = `${type} ${name}`
    const answer = lookups.get(key) ?? resolver.lookup(name, type, signal)
    lookups.set(key, answer)
    return answer
  }) as Look
}

interface Around {
  look: Look
  domain: Pick<Domain, 'name' | 'registrable'>
}

async function explained(
  record: DomainRecord,
  finding: RecordFinding,
  context: Around,
): Promise<RecordFinding> {
  if (finding.status !== 'missing') return finding
  const { domain, look } = context
  for (const candidate of mistakenNames(record.name, domain)) {
    const moved = await record.find(look, candidate)
    if (moved.status === 'ok') return { ...finding, remedy: moveIt(record, candidate, domain) }
  }
  return finding
}

/** Places where panels and people put a record after misreading its host. */
function mistakenNames(name: string, domain: Around['domain']): string[] {
  const host = name.slice(0, -domain.name.length - 1)
  const candidates = [
    `${name}.${domain.name}`,
    `${name}.${domain.registrable}`,
    `${host}.${domain.registrable}`,
    // The host without _domainkey.
    `${host.split('.')[0]}.${domain.name}`,
  ]
  return [...new Set(candidates)].filter(
    (candidate) => candidate !== name && candidate.length <= 253,
  )
}

function moveIt(
  { name }: DomainRecord,
  mistakenName: string,
  { registrable }: Around['domain'],
): string {
  const host = name.slice(0, -registrable.length - 1)
  const isDoubled = mistakenName.startsWith(`${name}.`)
  const why = isDoubled ? `Your DNS panel adds ${registrable} to the name by itself. ` : ''
  return `The record stands at ${mistakenName}. ${why}Its name is ${name}: enter ${host} as the host in the zone ${registrable}.`
}
