/** An assistant proposes emails that it wrote one by one; `proposals.ts` has what becomes of them. */
import { resolveRecipients } from '../contacts/recipients.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import { type Hmac, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { Type } from '../lib/schema/schema.ts'
import { days, later } from '../lib/time/clock.ts'
import { type MessageKind, messageKinds } from '../messages/message.ts'
import { lockPendingCount } from '../usage/approval-limit.ts'
import { proposalLimits, proposalsUrl, subjectInput, textInput } from './proposals.ts'

const contactIdInput = Type.String({ pattern: '^con_[0-9a-hjkmnp-tv-z]{26}$' })

export const messagePropose = operation({
  name: 'message.propose',
  title: 'Propose emails',
  area: 'messages',
  summary: `Proposes up to ${proposalLimits.emails} emails that you wrote one by one, each to one contact in plain text. Nothing is sent: a person reads, changes, approves or refuses them at approval_url. proposal.get has the outcome of each, with the reason of a refusal. Marketing unless kind says otherwise, which needs consent.`,
  reach: 'business',
  scope: 'messaging:send',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  rest: 'POST /v1/proposals',
  status: 201,
  input: {
    emails: Type.Array(
      Type.Object(
        {
          contact_id: Type.Optional(contactIdInput),
          to: Type.Optional(
            Type.String({
              maxLength: 320,
              description: 'The address of a contact, without its id.',
            }),
          ),
          subject: subjectInput,
          text: textInput,
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: proposalLimits.emails },
    ),
    kind: Type.Optional(Type.Enum(messageKinds, { description: 'Default marketing.' })),
  },
  output: Type.Object({
    batch_id: Type.String(),
    waiting: Type.Integer(),
    refused: Type.Array(
      Type.Object({ index: Type.Integer(), code: Type.String(), message: Type.String() }),
    ),
    approval_url: Type.String(),
  }),

  run({ business, hmac, now, origin, appUrl, write }, { emails, kind = 'marketing' }) {
    return write(async (tx) => {
      const batchId = newId('batch')
      const ordered = { businessId: business.id, emails, kind }
      const { contactIds, refused } = await readRecipients(tx, hmac, ordered)
      const rows = emails.flatMap(({ subject, text }, index) => {
        const contactId = contactIds[index]
        return contactId ? [{ id: newId('proposal'), contactId, subject, text }] : []
      })
      if (rows.length === 0) {
        throw refuse('conflict', `None of the emails can be sent: ${refused[0]?.message ?? ''}`, {
          field: 'emails',
          data: { reason: 'none_can_be_sent', refused },
        })
      }
      await lockPendingCount(tx, business.id)
      await tx.run(sql`
        delete from proposals
        where business_id = ${business.id} and state in ('sent', 'refused', 'failed', 'cancelled')
          and proposed_at < ${later(now, -days(proposalLimits.keptDays))}
      `)
      const { waiting } = await tx.one<{ waiting: number }>(sql`
        select count(*)::int as waiting from proposals
        where business_id = ${business.id} and state = 'waiting'
      `)
      if (waiting + rows.length > proposalLimits.waiting) {
        const text = `${waiting} proposed emails wait for a person already; the limit is ${proposalLimits.waiting}.`
        throw refuse('conflict', text, {
          field: 'emails',
          data: { reason: 'many_proposals', limit: proposalLimits.waiting },
          fix: { url: proposalsUrl(appUrl, business.id) },
        })
      }
      await tx.run(sql`
        insert into proposals (business_id, id, batch_id, contact_id, kind, subject, body, state,
          connection_id, user_id, call_id, proposed_at)
        select ${business.id}, id, ${batchId}, contact_id, ${kind}, subject, body, 'waiting',
          ${origin.connectionId}, ${origin.userId}, ${parseId('request', origin.callId) ?? null},
          ${now}
        from unnest(
          ${rows.map(({ id }) => id)}::uuid[],
          ${rows.map(({ contactId }) => contactId)}::uuid[],
          ${rows.map(({ subject }) => subject)}::text[],
          ${rows.map(({ text }) => text)}::text[]
        ) as new (id, contact_id, subject, body)
      `)
      const subject = formatId('batch', batchId)
      const details = { emails: rows.length, kind }
      const entry = { businessId: business.id, action: 'message.propose', subject, details, origin }
      await recordAudit(tx, [entry], now)
      return {
        batch_id: subject,
        waiting: rows.length,
        refused,
        approval_url: proposalsUrl(appUrl, business.id),
      }
    })
  },
})

interface ProposedEmails {
  businessId: Id<'business'>
  emails: readonly { contact_id?: string; to?: string }[]
  kind: MessageKind
}

interface Recipients {
  /** By the place of the email; undefined for one that is refused. */
  contactIds: (Id<'contact'> | undefined)[]
  refused: { index: number; code: string; message: string }[]
}

/** The contact of each email, or why nobody may send it to them. */
async function readRecipients(
  tx: Tx,
  hmac: Hmac,
  { businessId, emails, kind }: ProposedEmails,
): Promise<Recipients> {
  const refused: Recipients['refused'] = []
  const fault = (index: number, { code, message }: Pick<Refusal, 'code' | 'message'>) => {
    refused.push({ index, code, message })
  }
  const requests = emails.flatMap(({ contact_id, to }, index) => {
    if ((to === undefined) === (contact_id === undefined)) {
      fault(index, { code: 'invalid_request', message: 'An email takes contact_id or to, one.' })
      return []
    }
    const address = to === undefined ? undefined : normaliseEmail(to)
    if (isRefusal(address)) {
      fault(index, address)
      return []
    }
    const contactId = contact_id === undefined ? undefined : parseId('contact', contact_id)
    return [{ index, contactId, address }]
  })
  const needsConsent = kind === 'marketing'
  const recipients = await resolveRecipients(
    tx,
    hmac,
    requests.map(({ contactId, address }) => {
      return { businessId, channel: 'email', contactId, address, needsConsent }
    }),
  )
  const contactIds: Recipients['contactIds'] = []
  for (const [n, { index }] of requests.entries()) {
    const recipient = recipients[n]
    if (!recipient || isRefusal(recipient)) {
      if (recipient) fault(index, recipient)
    } else if (recipient.contactId === null) {
      const message = 'No contact has this address: contact.upsert adds them.'
      fault(index, { code: 'not_found', message })
    } else contactIds[index] = recipient.contactId
  }
  return { contactIds, refused: refused.toSorted((a, b) => a.index - b.index) }
}
