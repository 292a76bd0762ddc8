/** The state of a domain in two sentences, for a person or an assistant. */

import { selectorOf } from '../keys/key-pair.ts'
import { activeKey, type Domain, type DomainSettings } from '../model/domain.ts'
import type { RecordStatus } from '../model/record.ts'
import { missingForMarketing } from '../senders/eligibility.ts'

export function summaryOf(domain: Domain, settings: DomainSettings): string {
  const sentences = {
    pending: pendingSentence,
    verified: verifiedSentence,
    degraded: degradedSentence,
  }
  const more = [providerSentence(domain, settings), changeSentence(domain)]
  const notes = more.filter((text) => text !== undefined)
  return [sentences[domain.status](domain, settings), ...notes].join(' ')
}

/** A provider verifies domains by itself, which Crier cannot see. It is told until ours is done. */
function providerSentence({ status }: Domain, { providers }: DomainSettings): string | undefined {
  if (status !== 'pending' || providers.length === 0) return undefined
  return `Mail of this service goes out through ${providers.join(' and ')}, where the domain needs these records too: the operator of this service has their values.`
}

function pendingSentence(domain: Domain, settings: DomainSettings): string {
  const next = `It is checked again by itself at ${timeOf(domain.nextCheckAt)}.`
  if (domain.heldElsewhere) {
    return `Its records are right, but the domain is verified in another account of this service, whose records are found too. Remove it there, or its records from DNS, and it is verified here. ${next}`
  }
  if (domain.passes > 0) {
    return `The DKIM record is right. One more check at ${timeOf(domain.nextCheckAt)} completes the verification.`
  }
  const status = domain.report[selectorOf(activeKey(domain).slot, 'rsa-sha256')]?.status
  return `${notYet(status)} ${otherRecords(domain, settings)} ${next}`
}

function notYet(status: RecordStatus | undefined): string {
  switch (status) {
    case 'wrong':
      return 'Not verified: the DKIM record is there and is not right; its remedy says why.'
    case 'missing':
      return 'Not verified yet: the DKIM record is not there. Set the records at the DNS provider of the domain.'
    case 'ok':
    case 'unknown':
    case undefined:
      return 'Not verified yet: DNS gave no answer. Set the records at the DNS provider of the domain.'
  }
}

function otherRecords(domain: Domain, settings: DomainSettings): string {
  const lacking = missingForMarketing(domain, settings)
  if (lacking.length === 0) return 'All others are right.'
  return settings.gate === 'off' ? goesAnyway(lacking) : `Marketing also needs ${listed(lacking)}.`
}

/** If nothing is pending, the sentence agrees with `may_send`. */
function goesAnyway(lacking: Parameters<typeof listed>[0]): string {
  return `This service sends without waiting for records, marketing too; mailboxes may refuse mail until ${listed(lacking)} is right.`
}

function verifiedSentence(domain: Domain, settings: DomainSettings): string {
  const lacking = missingForMarketing(domain, settings)
  const missed = domain.misses > 0 ? ' The DKIM record was not found at the last check.' : ''
  if (lacking.length === 0) return `Verified, and ready for marketing.${missed}`
  if (settings.gate === 'off') return `Verified. ${goesAnyway(lacking)}${missed}`
  return `Verified: transactional mail may be sent. Marketing waits for ${listed(lacking)}.${missed}`
}

function degradedSentence({ missingSince, nextCheckAt }: Domain, settings: DomainSettings): string {
  const waits = settings.gate === 'off' ? '' : ' and marketing waits'
  const since = missingSince ? ` since ${timeOf(missingSince)}` : ''
  return `Degraded: its DKIM record is not found any more${since}, so mailboxes distrust its mail${waits}. Set the record again; it is checked at ${timeOf(nextCheckAt)}.`
}

/** Describes a key that is coming or leaving. */
function changeSentence({ keys }: Pick<Domain, 'keys'>): string | undefined {
  const coming = keys.find(({ state }) => state === 'coming')
  if (coming?.seenAt) {
    const at = new Date(coming.seenAt.getTime() + coming.ttlSeconds * 2000)
    return `Its new key s${coming.slot} is published and signs from ${timeOf(at)}.`
  }
  if (coming) return `Its new key waits for the record s${coming.slot}._domainkey.`
  const leaving = keys.find(({ state }) => state === 'leaving')
  if (!leaving?.leavesAt) return undefined
  return `Its old key s${leaving.slot} stays published until ${timeOf(leaving.leavesAt)}, for mail on its way.`
}

function listed(records: readonly { type: string; name: string }[]): string {
  return records.map(({ type, name }) => `${type} ${name}`).join(', ')
}

/** A time such as `2026-11-20 10:00 UTC`. */
function timeOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
