/** The record of a key: as TXT, or as an alias into the operator's zone, which has the TXT. */

import {
  type DomainRecord,
  failed,
  type Look,
  missing,
  type Need,
  type RecordFinding,
  right,
  setIt,
  shown,
  shownAliases,
  wrong,
} from '../model/record.ts'
import type { PublishedKey } from './dkim-text.ts'
import { keyFault } from './dkim-text.ts'

export interface KeyLocation {
  /** The selector, such as `s1`. */
  id: string
  name: string
  /** The target of an alias. Undefined if the owner publishes the key directly. */
  alias: string | undefined
  neededFor: Need
}

export function keyText({ algorithm, publicKey }: Omit<PublishedKey, 'others'>): string {
  const kind = algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519'
  return `v=DKIM1; k=${kind}; p=${publicKey}`
}

/** `key` is undefined for a slot that was never used. Then only its alias can be checked. */
export function dkimRecord(location: KeyLocation, key: PublishedKey | undefined): DomainRecord {
  const { id, name, alias, neededFor } = location
  const type = alias === undefined ? ('TXT' as const) : ('CNAME' as const)
  const value = alias ?? (key ? keyText(key) : '')
  const record = { id, type, name, value, neededFor }
  return {
    ...record,
    find: (look, at) => (key?.publicKey ? findKey(look, at) : findNoKey(look, at)),
  }

  async function findKey(look: Look, at: string): Promise<RecordFinding> {
    const lookup = await look(at, 'TXT')
    const { aliases } = lookup
    const leadsRight = alias !== undefined && aliases.includes(alias)
    if (lookup.outcome === 'failed') return failed(lookup)
    if (lookup.outcome === 'absent') {
      const [first] = aliases
      if (first === undefined) return missing(record, lookup.retryIn)
      return wrong(shownAliases(aliases), leadsRight ? zoneIsBehind : `${notThere} ${setAnew()}`)
    }
    const texts = lookup.records.map(({ text }) => text)
    const values = [...shownAliases(aliases), ...shown(texts)]
    const fault = key && keyFault(texts, key)
    if (fault === undefined) return right(values, { ttl: lookup.ttl, ...hint(aliases) })
    if (leadsRight) return wrong(values, zoneIsBehind, lookup.ttl)
    const where = aliases.length > 0 ? ' A CNAME leads to what was found.' : ''
    return wrong(values, `${fault}${where} ${setAnew()}`, lookup.ttl)
  }

  async function findNoKey(look: Look, at: string): Promise<RecordFinding> {
    const lookup = await look(at, 'TXT')
    const { aliases } = lookup
    if (alias !== undefined) {
      if (aliases.includes(alias)) return right(shownAliases(aliases))
      if (lookup.outcome === 'failed') return failed(lookup)
      if (lookup.outcome === 'absent' && aliases.length === 0)
        return missing(record, lookup.retryIn)
      const texts = lookup.outcome === 'found' ? lookup.records.map(({ text }) => text) : []
      return wrong([...shownAliases(aliases), ...shown(texts)], setAnew())
    }
    if (lookup.outcome === 'failed') return failed(lookup)
    if (lookup.outcome === 'absent') return right(shownAliases(aliases))
    const texts = lookup.records.map(({ text }) => text)
    const isEmpty = texts.every((text) => !key?.others.some((other) => text.includes(other)))
    const values = shown(texts)
    return isEmpty
      ? right(values, { ttl: lookup.ttl })
      : wrong(values, `This key is no longer used. Delete the record, or set it to: ${value}`)
  }

  function hint(aliases: readonly string[]): { remedy?: string } {
    if (alias === undefined || aliases.includes(alias)) return {}
    const text = `It works. As CNAME to ${alias} it would go on working when keys change.`
    return { remedy: text }
  }

  function setAnew(): string {
    return type === 'CNAME' ? `Delete what stands there. ${setIt(record)}` : setIt(record)
  }
}

const notThere = 'A CNAME stands at this name and leads to nothing of ours: delete it.'
const zoneIsBehind =
  "The CNAME is right. The zone it leads to does not have this key yet, which is its operator's to mend: crier domains zone."
