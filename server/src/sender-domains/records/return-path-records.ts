/**
 * The destination of bounces, `send.<domain>`: MX to our bounce server and SPF for the servers that
 * send, or one alias into the operator's zone, which has both.
 */
import type { DomainSettings } from '../model/domain.ts'
import {
  type DomainRecord,
  failed,
  type Look,
  missing,
  type RecordFinding,
  right,
  shown,
  shownAliases,
  wrong,
} from '../model/record.ts'
import { spfFault, spfPolicies } from './spf-text.ts'

type Settings = Pick<DomainSettings, 'zone' | 'bounceHost' | 'spf'>

/** The domain of the envelope sender. It is aligned with the sender's (RFC 7489, 3.1.2). */
export function returnPathOf(domain: string): string {
  return `send.${domain}`
}

/** The return path host in the operator's zone. */
export function returnPathHost(zone: string): string {
  return `send.${zone}`
}

export function spfText(mechanisms: string): string {
  return `v=spf1 ${mechanisms} ~all`
}

/** Lower preferences are tried first. There is only one. */
export const mxPreference = 10

export function returnPathRecords(domain: string, settings: Settings): DomainRecord[] {
  const name = returnPathOf(domain)
  const mx = mxRecord(name, settings.bounceHost)
  const spf = spfRecord(name, settings.spf)
  return settings.zone === undefined ? [mx, spf] : [aliasOf(name, settings.zone, [mx, spf])]
}

function mxRecord(name: string, host: string): DomainRecord {
  const record = {
    id: 'return_path_mx',
    type: 'MX' as const,
    name,
    value: `${mxPreference} ${host}`,
  }
  const setIt = `Set MX ${name} to: ${record.value}`
  return {
    ...record,
    neededFor: 'marketing',
    async find(look, at) {
      const lookup = await look(at, 'MX')
      if (lookup.outcome === 'failed') return failed(lookup)
      if (lookup.outcome === 'absent') {
        const { aliases } = lookup
        if (aliases.length === 0) return missing(record, lookup.retryIn)
        return wrong(shownAliases(aliases), `Delete the CNAME at ${name}. ${setIt}`)
      }
      const hosts = lookup.records.map(({ exchange }) => exchange)
      const values = lookup.records.map(({ preference, exchange }) => `${preference} ${exchange}`)
      const records = [...shownAliases(lookup.aliases), ...shown(values)]
      if (!hosts.includes(host)) return wrong(records, `Bounces would go elsewhere. ${setIt}`)
      if (hosts.some((text) => text !== host)) {
        return wrong(records, `Some bounces would go elsewhere. Delete every other MX of ${name}.`)
      }
      return right(records)
    },
  }
}

function spfRecord(name: string, mechanisms: string): DomainRecord {
  const value = spfText(mechanisms)
  const record = { id: 'return_path_spf', type: 'TXT' as const, name, value }
  return {
    ...record,
    neededFor: 'marketing',
    async find(look, at) {
      const lookup = await look(at, 'TXT')
      if (lookup.outcome === 'failed') return failed(lookup)
      if (lookup.outcome === 'absent') return missing(record, lookup.retryIn)
      const texts = lookup.records.map(({ text }) => text)
      const records = [...shownAliases(lookup.aliases), ...shown(texts)]
      const policies = spfPolicies(texts)
      if (policies.length === 0) return { ...missing(record, 0), found: records }
      const fault = spfFault(policies, mechanisms)
      return fault ? wrong(records, `${fault} Set TXT ${name} to: ${value}`) : right(records)
    },
  }
}

/** Correct if the alias exists and the records that it leads to are correct. */
function aliasOf(name: string, zone: string, behind: DomainRecord[]): DomainRecord {
  const value = returnPathHost(zone)
  const record = { id: 'return_path', type: 'CNAME' as const, name, value }
  const find = async (look: Look, at: string): Promise<RecordFinding> => {
    const lookup = await look(at, 'MX')
    if (!lookup.aliases.includes(value)) return withoutAlias(look, at)
    if (lookup.outcome === 'failed') return failed(lookup)
    const findings = await Promise.all(behind.map((domain) => domain.find(look, at)))
    const aliases = shownAliases(lookup.aliases)
    const unsure = findings.find(({ status }) => status === 'unknown')
    if (unsure) return unsure
    const isRight = findings.every(({ status }) => status === 'ok')
    return isRight ? right(aliases) : wrong(aliases, zoneIsBehind)
  }
  const withoutAlias = async (look: Look, at: string): Promise<RecordFinding> => {
    const findings = await Promise.all(behind.map((domain) => domain.find(look, at)))
    const values = findings.flatMap((finding) => finding.found)
    const remedy = `Delete what stands at ${name} and set CNAME ${name} to: ${value}`
    if (findings.every(({ status }) => status === 'ok')) {
      return right(values, { remedy: `It works. As CNAME to ${value} it would go on working.` })
    }
    if (values.length > 0) return wrong(values, remedy)
    const unsure = findings.find(({ status }) => status === 'unknown')
    const [first] = findings
    return unsure ?? { ...missing(record, 0), found: first?.found ?? [] }
  }
  return { ...record, neededFor: 'marketing', find }
}

const zoneIsBehind =
  "The CNAME is right. The zone it leads to lacks MX or SPF, which is its operator's to mend: crier domains zone."
