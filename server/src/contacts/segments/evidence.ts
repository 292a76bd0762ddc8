/** The evidence for why a condition holds for a contact, or does not. */
import { formatId } from '../../core/ids.ts'
import type { BusinessContext } from '../../core/operation.ts'
import { channelEligibility } from '../consent/eligibility.ts'
import { type ConsentSubject, type Contact, topicStatusOf } from '../contact.ts'
import { type Compiling, tallyOf } from '../filters/compile.ts'
import { attributeKey, type Condition } from '../filters/filter.ts'
import { tally } from './explain-queries.ts'

type EvidenceContext = Pick<BusinessContext, 'db' | 'hmac' | 'business' | 'isToolCall'>

export async function evidenceOf(
  context: EvidenceContext,
  contact: Contact,
  condition: Condition,
  compiling: Compiling,
): Promise<Record<string, unknown>> {
  if ('field' in condition) {
    const value = { value: fieldValue(contact, condition.field) }
    return context.isToolCall ? { untrusted: value } : value
  }
  if ('tag' in condition) return { tags: [...contact.tags] }
  if ('consent' in condition) return consentEvidence(context, contact, condition.consent)
  if ('topic' in condition) {
    const { topic, channel = 'email' } = condition
    return {
      said: topicStatusOf(contact.topics, channel, topic) ?? 'none',
      consent: contact.consent[channel],
    }
  }
  if ('reachable' in condition) return consentEvidence(context, contact, condition.reachable)
  if ('suppressed' in condition) return consentEvidence(context, contact, condition.suppressed)
  if ('standing' in condition) return consentEvidence(context, contact, condition.standing)
  if ('did_not' in condition) {
    const { did_not: did, ...narrowing } = condition
    return behaviourEvidence(context, contact, { did, ...narrowing }, compiling)
  }
  if ('did' in condition) return behaviourEvidence(context, contact, condition, compiling)
  return {}
}

function fieldValue(contact: Contact, field: string): unknown {
  const key = attributeKey(field)
  if (key !== undefined) return contact.attributes[key] ?? null
  const own: Record<string, unknown> = {
    email: contact.email,
    email_domain: contact.email?.slice(contact.email.lastIndexOf('@') + 1) ?? null,
    phone: contact.phone,
    external_id: contact.external_id,
    name: contact.name,
    first_name: contact.first_name,
    last_name: contact.last_name,
    language: contact.language,
    source: contact.source,
    created_at: contact.createdAt.toISOString(),
    updated_at: contact.updatedAt.toISOString(),
  }
  return own[field] ?? null
}

async function consentEvidence(
  { db, hmac, business }: EvidenceContext,
  contact: Contact,
  channel: ConsentSubject,
) {
  const query = { businessId: business.id, contactId: contact.id, channel }
  const eligibility = await channelEligibility(db, hmac, query)
  const { lastSaid, suppression } = eligibility ?? {}
  return {
    ...(channel !== 'tracking' && {
      address: channel === 'email' ? contact.email : contact.phone,
    }),
    consent: contact.consent[channel],
    ...(lastSaid && { source: lastSaid.source, said_at: lastSaid.createdAt.toISOString() }),
    ...(suppression && { suppressed: suppression.reason }),
  }
}

async function behaviourEvidence(
  { db }: EvidenceContext,
  contact: Contact,
  condition: Parameters<typeof tallyOf>[0],
  compiling: Compiling,
) {
  const range = { from: contact.id, upTo: contact.id }
  const counted = await tally(db, tallyOf(condition, { ...compiling, range }))
  const { times, worth, last, messageId, submissionId } = counted
  return {
    times,
    ...(worth !== null && { worth }),
    last_at: last?.toISOString() ?? null,
    ...(messageId && { last_message_id: formatId('message', messageId) }),
    ...(submissionId !== null && { last_submission_id: submissionId }),
  }
}

export const shownContact = ({ id, email, phone }: Pick<Contact, 'id' | 'email' | 'phone'>) => ({
  contact_id: formatId('contact', id),
  email,
  phone,
})
