/** The domain's own host name for links that count clicks and images that count opens. */
import type { DomainSettings } from '../model/domain.ts'
import {
  type DomainRecord,
  failed,
  missing,
  right,
  shown,
  shownAliases,
  wrong,
} from '../model/record.ts'

export function trackingNameOf(domain: string): string {
  return `t.${domain}`
}

/** The tracking host in the operator's zone. */
export function trackingHostIn(zone: string): string {
  return `t.${zone}`
}

export function trackingRecord(
  domain: string,
  { zone, trackingHost }: Pick<DomainSettings, 'zone' | 'trackingHost'>,
): DomainRecord {
  const name = trackingNameOf(domain)
  const value = zone === undefined ? trackingHost : trackingHostIn(zone)
  const record = { id: 'tracking', type: 'CNAME' as const, name, value }
  const setIt = `Set CNAME ${name} to: ${value}`
  return {
    ...record,
    neededFor: 'tracking',
    async find(look, at) {
      const lookup = await look(at, 'A')
      if (lookup.aliases.includes(value)) return right(shownAliases(lookup.aliases))
      if (lookup.outcome === 'failed') return failed(lookup)
      if (lookup.outcome === 'absent' && lookup.aliases.length === 0) {
        return missing(record, lookup.retryIn)
      }
      const addresses =
        lookup.outcome === 'found' ? lookup.records.map((entry) => entry.address) : []
      const values = [
        ...shownAliases(lookup.aliases),
        ...shown(addresses.map((address) => `A ${address}`)),
      ]
      return lookup.aliases.length > 0
        ? wrong(values, `The CNAME leads elsewhere. ${setIt}`)
        : wrong(
            values,
            `Addresses stand where a CNAME should. Delete them, or switch off the proxy of your DNS provider for this name. ${setIt}`,
          )
    },
  }
}
