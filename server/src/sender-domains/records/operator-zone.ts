/** The operator's zone, which all domains point into if `DNS_ZONE` is set. */
import type { Db } from '../../lib/db/types.ts'
import { type DkimAlgorithm, selectorOf } from '../keys/key-pair.ts'
import { listAllKeys, type PublishedKeyRow } from '../keys/key-queries.ts'
import type { DomainSettings } from '../model/domain.ts'
import { keyText } from './dkim-record.ts'
import { keyNameInZone, publicOf } from './records.ts'
import { mxPreference, returnPathHost, spfText } from './return-path-records.ts'
import { trackingHostIn } from './tracking-record.ts'
import { type ZoneLine, zoneFile } from './zone-file.ts'

/** To be included in the zone's file after each change of keys. Once an hour is enough. */
export async function operatorZone(
  db: Db,
  zone: string,
  settings: Pick<DomainSettings, 'bounceHost' | 'spf' | 'trackingHost'>,
): Promise<string> {
  const keys = await listAllKeys(db)
  const lines: ZoneLine[] = [
    { name: returnPathHost(zone), type: 'MX', value: `${mxPreference} ${settings.bounceHost}` },
    { name: returnPathHost(zone), type: 'TXT', value: spfText(settings.spf) },
    { name: trackingHostIn(zone), type: 'CNAME', value: settings.trackingHost },
    ...keys.flatMap((key) => keyLines(key, zone)),
  ]
  return `; Records of Crier in ${zone}, printed by crier domains zone.\n${zoneFile(lines)}`
}

/** A revoked key stays published with an empty value, which marks it (RFC 6376, 3.6.1). */
function keyLines(key: PublishedKeyRow, zone: string): ZoneLine[] {
  const algorithms: DkimAlgorithm[] = ['rsa-sha256', 'ed25519-sha256']
  return algorithms.flatMap((algorithm) => {
    const published = publicOf(key, algorithm)
    if (published === '') return []
    const publicKey = key.state === 'revoked' ? '' : published
    const name = keyNameInZone(selectorOf(key.slot, algorithm), key.domainId, zone)
    return [{ name, type: 'TXT' as const, value: keyText({ algorithm, publicKey }) }]
  })
}
