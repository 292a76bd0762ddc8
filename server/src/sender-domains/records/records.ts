/** All records that a domain needs, according to its current keys and the operator's settings. */

import { formatId } from '../../core/ids.ts'
import { type DkimAlgorithm, selectorOf } from '../keys/key-pair.ts'
import type { Domain, DomainKey, DomainSettings, KeyState, Slot } from '../model/domain.ts'
import {
  type DomainRecord,
  failed,
  type Look,
  missing,
  type Need,
  type RecordFinding,
  right,
  shown,
  shownAliases,
  wrong,
} from '../model/record.ts'
import { dkimRecord } from './dkim-record.ts'
import type { PublishedKey } from './dkim-text.ts'
import { returnPathRecords } from './return-path-records.ts'
import { trackingRecord } from './tracking-record.ts'
import { readTags, writingFault } from './txt.ts'

const slots: readonly Slot[] = [1, 2]
const algorithms: readonly DkimAlgorithm[] = ['rsa-sha256', 'ed25519-sha256']

type DomainWithKeys = Pick<Domain, 'id' | 'name' | 'registrable' | 'keys'>

export function recordsOf(domain: DomainWithKeys, settings: DomainSettings): DomainRecord[] {
  return [
    ...keyRecords(domain, settings.zone),
    ...(settings.ownReturnPath ? returnPathRecords(domain.name, settings) : []),
    dmarcRecord(domain.name, domain.registrable),
    trackingRecord(domain.name, settings),
  ]
}

/** The name of a key's record, such as `s1._domainkey.shop.example`. */
function keyName(selector: string, domain: string): string {
  return `${selector}._domainkey.${domain}`
}

/** The name of a domain's key in the operator's zone. The domain's id makes it unique. */
export function keyNameInZone(selector: string, id: Domain['id'], zone: string): string {
  return `${selector}.${formatId('domain', id).slice(4)}.${zone}`
}

function keyRecords({ id, name, keys }: DomainWithKeys, zone: string | undefined): DomainRecord[] {
  const hasEd25519 = keys.some(({ ed25519Public }) => ed25519Public !== null)
  const publicKeys = keys.flatMap((key) => algorithms.map((algorithm) => publicOf(key, algorithm)))
  return slots.flatMap((slot) =>
    algorithms.flatMap((algorithm) => {
      if (algorithm === 'ed25519-sha256' && !hasEd25519) return []
      const key = keys.find((entry) => entry.slot === slot)
      // Aliases for both slots exist from the first day, so that keys can change by themselves.
      if (!key && zone === undefined) return []
      const selector = selectorOf(slot, algorithm)
      const location = {
        id: selector,
        name: keyName(selector, name),
        alias: zone === undefined ? undefined : keyNameInZone(selector, id, zone),
        neededFor: needOf(key?.state, algorithm),
      }
      return [dkimRecord(location, key && publishedOf(key, algorithm, publicKeys))]
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
  names: readonly string[],
): PublishedKey {
  const publicKey = key.state === 'revoked' ? '' : publicOf(key, algorithm)
  return { algorithm, publicKey, others: names.filter((text) => text !== '' && text !== publicKey) }
}

/** Empty if the slot has no key of the kind. */
export function publicOf(
  key: Pick<DomainKey, 'rsaPublic' | 'ed25519Public'>,
  algorithm: DkimAlgorithm,
): string {
  return algorithm === 'rsa-sha256' ? key.rsaPublic : (key.ed25519Public ?? '')
}

const leastPolicy = 'v=DMARC1; p=none'

/**
 * The policy for mail that claims to come from the domain (RFC 7489). It is requested only if
 * neither the domain nor its registered parent has one.
 */
function dmarcRecord(domain: string, registrable: string): DomainRecord {
  const name = `_dmarc.${domain}`
  const record = { id: 'dmarc', type: 'TXT' as const, name, value: leastPolicy }
  const find = async (look: Look, at: string): Promise<RecordFinding> => {
    const own = await findPolicy(look, at, record)
    if (own.status !== 'missing' || at !== name) return own
    const inherited = await Promise.all(
      parentsOf(domain, registrable).map((parent) => findPolicy(look, `_dmarc.${parent}`, record)),
    )
    // The nearest policy decides (RFC 7489, 6.6.3, and the tree walk of its successor).
    return inherited.find(({ status }) => status !== 'missing') ?? own
  }
  return { ...record, neededFor: 'marketing', find }
}

type RecordName = Pick<DomainRecord, 'type' | 'name' | 'value'>

async function findPolicy(look: Look, at: string, record: RecordName): Promise<RecordFinding> {
  const lookup = await look(at, 'TXT')
  if (lookup.outcome === 'failed') return failed(lookup)
  if (lookup.outcome === 'absent') return missing(record, lookup.retryIn)
  const texts = lookup.records.map(({ text }) => text)
  const policies = texts.filter((text) => /^[\s"'“]*v=dmarc1/i.test(text))
  const values = [...shownAliases(lookup.aliases), ...shown(texts)]
  const [policy, ...more] = policies
  if (policy === undefined) return { ...missing(record, 0), found: values }
  if (more.length > 0) {
    return wrong(
      values,
      `${policies.length} DMARC records stand at ${at}, so that none counts. Delete all but one.`,
    )
  }
  const fault = policyFault(policy)
  return fault
    ? wrong(values, `${fault} The least that ${at} may say: ${leastPolicy}`)
    : right(values)
}

function policyFault(text: string): string | undefined {
  const writing = writingFault(text)
  if (writing) return writing
  const tags = readTags(text)
  if (tags?.get('v') !== 'DMARC1' || tags.keys().next().value !== 'v') {
    return 'The value must begin with v=DMARC1; and be a list of tags.'
  }
  const policy = tags.get('p')?.toLowerCase()
  return ['none', 'quarantine', 'reject'].includes(policy ?? '')
    ? undefined
    : 'Its tag p= must be none, quarantine or reject.'
}

/** `b.c` and `c` for `a.b.c`, down to the registered domain. */
function parentsOf(domain: string, registrable: string): string[] {
  const parents: string[] = []
  for (let name = domain; name !== registrable && name.includes('.'); ) {
    name = name.slice(name.indexOf('.') + 1)
    parents.push(name)
  }
  return parents
}
