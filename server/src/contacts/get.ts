import { formatId, type Id, parseId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../core/paging.ts'
import { untrusted } from '../core/untrusted.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { type Consent, listConsents } from './consent/ledger.ts'
import {
  type ConsentSubject,
  type Contact,
  channels,
  consentBases,
  consentBoxes,
  consentStatus,
  consentStatuses,
  contactFields,
  contactIdInput,
  fieldsOf,
  noSuchContact,
  versionOf,
} from './contact.ts'
import { findContact } from './rows.ts'
import { standingOf, standingView } from './suppressions/standing.ts'
import { suppressionsOf } from './suppressions/suppression.ts'
import { type Activity, detailsOf, listActivity } from './timeline/activity.ts'
import { noteDetails, noteTypes, writersOf } from './timeline/note.ts'

/** The most consent changes shown; people seldom change their minds more often. */
const consentsShown = 100

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const confirmed = Type.Object({
  confirmation_id: Type.String(),
  mailed_at: orNull('ISO 8601, UTC.'),
  at: orNull('ISO 8601, UTC.'),
  ip: orNull('From where the button was pressed.'),
  untrusted: untrusted({ agent: orNull('The browser, as it named itself.') }),
})

const consentOf = (channelName: string) =>
  Type.Object(
    {
      status: consentStatus,
      history: Type.Array(
        Type.Object({
          action: Type.Enum(consentStatuses),
          topic: orNull('Its key; null where it is about the whole channel.'),
          source: Type.String(),
          text: orNull('What was agreed to, word for word.'),
          at: Type.String({ description: 'ISO 8601, UTC.' }),
          basis: Type.Union([Type.Enum(consentBases), Type.Null()]),
          said_at: orNull('When the person said so, where the call told. ISO 8601, UTC.'),
          form_version: Type.Union([Type.Integer(), Type.Null()]),
          box: Type.Union([Type.Enum(consentBoxes), Type.Null()]),
          ip: orNull('From where, for what came by a form.'),
          confirmed: Type.Union([confirmed, Type.Null()]),
          untrusted: untrusted({
            page: orNull('The page that the form was on.'),
            agent: orNull('The browser, as it named itself.'),
          }),
        }),
      ),
    },
    { description: `Consent to ${channelName}.` },
  )

export const wholeContact = Type.Object({
  ...contactFields,
  version: Type.Integer(),
  consent: Type.Object({
    email: consentOf('email'),
    sms: consentOf('SMS'),
    tracking: consentOf('being tracked'),
  }),
  standing: standingView,
  suppressed: Type.Array(
    Type.Object({
      channel: Type.Enum(channels),
      reason: Type.String(),
      source: Type.String(),
      since: Type.String({ description: 'ISO 8601, UTC.' }),
    }),
  ),
  timeline: Type.Array(
    Type.Object({
      at: Type.String({ description: 'ISO 8601, UTC.' }),
      type: Type.String(),
      details: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        // What people typed: a note, the properties of an own event, or a link filled in for one.
        properties: { untrusted: { type: 'object', additionalProperties: true } },
        additionalProperties: true,
      }),
    }),
  ),
  next_cursor: nextCursor,
})

export const contactGet = operation({
  name: 'contact.get',
  title: 'Look at a contact',
  area: 'contacts',
  everyday: true,
  summary:
    'One contact with its consent and the evidence of it, whether it may be written to at all (suppressed), and its timeline, newest first; cursor and limit page the timeline. Find its id with contact.list.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/contacts/:contact_id',
  input: {
    contact_id: contactIdInput,
    ...pageInput,
  },
  output: wholeContact,

  async run(context, { contact_id, ...paging }) {
    const { db, business } = context
    const id = parseId('contact', contact_id)
    const contact = id && (await findContact(db, business.id, id))
    if (!contact) throw noSuchContact(contact_id)
    return wholeViewOf(context, contact, paging)
  },
})

export async function wholeViewOf(
  { db, business, hmac }: BusinessContext,
  contact: Contact,
  paging: { cursor?: string; limit?: number },
): Promise<Static<typeof wholeContact>> {
  const page = pageOf('activity', paging)
  const [consents, suppressions, activity, past] = await Promise.all([
    listConsents(db, business.id, contact.id, consentsShown),
    suppressionsOf(db, hmac, business.id, contact),
    listActivity(db, business.id, contact.id, page),
    pastOf(db, business.id, contact.id),
  ])
  const writers = await writersOf(db, activity)
  const entryOf = (entry: Activity) => timelineEntryOf(entry, writers)
  const { shown: entries, next } = pageFrom('activity', activity, page, entryOf)
  return {
    ...fieldsOf(contact),
    version: versionOf(contact),
    consent: {
      email: consentIn('email', contact, consents),
      sms: consentIn('sms', contact, consents),
      tracking: consentIn('tracking', contact, consents),
    },
    standing: standingOf(contact, suppressions),
    suppressed: suppressions.map(({ channel, reason, source, createdAt }) => ({
      channel,
      reason,
      source,
      since: createdAt.toISOString(),
    })),
    timeline: [
      ...entries.map(entryOf),
      ...(past && !next ? [pastEntryOf(past)] : []),
      ...(next ? [] : [creationEntryOf(contact)]),
    ],
    ...next,
  }
}

function timelineEntryOf(activity: Activity, writers: ReadonlyMap<string, string>) {
  const { type, createdAt } = activity
  const details = noteTypes.has(type) ? noteDetails(activity, writers) : detailsOf(activity)
  return { at: createdAt.toISOString(), type, details }
}

/** What retention deleted of the timeline, in sums. */
function pastEntryOf({ firstAt, lastAt, sent, opened, clicked, ownEvents }: ContactPast) {
  const details = { since: firstAt.toISOString(), sent, opened, clicked, own_events: ownEvents }
  return { at: lastAt.toISOString(), type: 'contact.history_deleted', details }
}

/** The first entry of every timeline: the contact's creation. */
function creationEntryOf({ source, createdAt }: Contact) {
  return { at: createdAt.toISOString(), type: 'contact.created', details: { source } }
}

function consentIn(channel: ConsentSubject, contact: Contact, consents: readonly Consent[]) {
  return {
    status: contact.consent[channel],
    history: consents.filter((consent) => consent.channel === channel).map(lineOfConsent),
  }
}

function lineOfConsent(consent: Consent) {
  const { action, topic, source, text, basis, page, ip, agent, confirmationId } = consent
  return {
    action,
    topic,
    source,
    text,
    at: consent.createdAt.toISOString(),
    basis,
    said_at: consent.saidAt?.toISOString() ?? null,
    form_version: consent.formVersion,
    box: consent.box,
    ip,
    confirmed: confirmationId && {
      confirmation_id: formatId('confirmation', confirmationId),
      mailed_at: consent.mailedAt?.toISOString() ?? null,
      at: consent.confirmedAt?.toISOString() ?? null,
      ip: consent.confirmedIp,
      untrusted: { agent: consent.confirmedAgent },
    },
    untrusted: { page, agent },
  }
}

interface ContactPast {
  firstAt: Date
  lastAt: Date
  sent: number
  opened: number
  clicked: number
  ownEvents: number
}

/** Undefined for a person of whom nothing was deleted. */
function pastOf(
  db: Db,
  businessId: Id<'business'>,
  contactId: Id<'contact'>,
): Promise<ContactPast | undefined> {
  return db.maybe(sql`
    select first_at as "firstAt", last_at as "lastAt", sent, opened, clicked,
      own_events as "ownEvents"
    from contact_past where business_id = ${businessId} and contact_id = ${contactId}
  `)
}
