/** All records that a domain needs, according to its current keys and the operator's settings. */

import { formatId } from '../../core/ids.ts'
import { type DkimAlgorithm, selectorOf } from '../keys/key-pair.ts'
import type { Domain, DomainKey, DomainSettings, KeyState, Slot } from '../model/domain.ts'
import type { DomainRecord, Need } from '../model/record.ts'
import { dkimRecord } from './dkim-record.ts'
import type { PublishedKey } from './dkim-text.ts'
import { dmarcRecord } from './dmarc-record.ts'
import { returnPathRecords } from './return-path-records.ts'
import { trackingRecord } from './tracking-record.ts'

const slots: readonly Slot[] = [1, 2]
const algorithms: readonly DkimAlgorithm[] = ['rsa-sha256', 'ed25519-sha256']

type Named = Pick<Domain, 'id' | 'name' | 'registrable' | 'keys'>

export function recordsOf(domain: Named, settings: DomainSettings): DomainRecord[] {
  return [
    ...keyRecords(domain, settings.zone),
    ...(settings.ownReturnPath ? returnPathRecords(domain.name, settings) : []),
    dmarcRecord(domain.name, domain.registrable),
    trackingRecord(domain.name, settings),
  ]
}

/** The name of a key's record, such as `s1._domainkey.shop.example`. */
export function keyName(selector: string, domain: string): string {
  return `${selector}._domainkey.${domain}`
}

/** The name of a domain's key in the operator's zone. The domain's id makes it unique. */
export function keyNameInZone(selector: string, id: Domain['id'], zone: string): string {
  return `${selector}.${formatId('domain', id).slice(4)}.${zone}`
}

function keyRecords({ id, name, keys }: Named, zone: string | undefined): DomainRecord[] {
  const hasEd25519 = keys.some(({ ed25519Public }) => ed25519Public !== null)
  const known = keys.flatMap((key) => algorithms.map((algorithm) => publicOf(key, algorithm)))
  return slots.flatMap((slot) =>
    algorithms.flatMap((algorithm) => {
      if (algorithm === 'ed25519-sha256' && !hasEd25519) return []
      const key = keys.find((entry) => entry.slot === slot)
      // Aliases for both slots exist from the first day, so that keys can change by themselves.
      if (!key && zone === undefined) return []
      const selector = selectorOf(slot, algorithm)
      const place = {
        id: selector,
        name: keyName(selector, name),
        alias: zone === undefined ? undefined : keyNameInZone(selector, id, zone),
        neededFor: needOf(key?.state, algorithm),
      }
      return [dkimRecord(place, key && publishedOf(key, algorithm, known))]
    }),
  )
}

function needOf(state: KeyState | undefined, algorithm: DkimAlgorithm): Need {
  if (state === 'active') return algorithm === 'rsa-sha256' ? 'verification' : 'nothing'
  return state === 'revoked' ? 'nothing' : 'key_change'
}

function publishedOf(
  key: DomainKey,
  algorithm: DkimAlgorithm,
  known: readonly string[],
): PublishedKey {
  const publicKey = key.state === 'revoked' ? '' : publicOf(key, algorithm)
  return { algorithm, publicKey, others: known.filter((text) => text !== '' && text !== publicKey) }
}

/** Empty if the slot has no key of the kind. */
export function publicOf(
  key: Pick<DomainKey, 'rsaPublic' | 'ed25519Public'>,
  algorithm: DkimAlgorithm,
): string {
  return algorithm === 'rsa-sha256' ? key.rsaPublic : (key.ed25519Public ?? '')
}
