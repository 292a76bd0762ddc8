import { orThrow } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { isMasked } from '../core/masking.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import {
  isBrief,
  nextCursor,
  type Page,
  pageFrom,
  pageInput,
  pageOf,
  viewInput,
} from '../core/paging.ts'
import { joined, sql, sqlWithin } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import {
  type Contact,
  consentStatus,
  consentStatuses,
  contactFields,
  contactLimits,
  externalIdInput,
  fieldsOf,
} from './contact.ts'
import { filterInput } from './filters/filter.ts'
import { findContactBy } from './rows.ts'
import {
  type ContactConditions,
  fewMatches,
  findFloor,
  matchesOf,
  scanContacts,
  searchContacts,
  searchFor,
  searchInput,
} from './search.ts'
import { segmentOf } from './segments/find.ts'
import { bySegment } from './segments/find-business.ts'
import { segmentIdInput } from './segments/segment.ts'
import {
  bySegmentId,
  type Condition,
  compileCondition,
  readAndCompileFilter,
} from './segments/where.ts'
import { standingOf, standingsOf, standingView } from './suppressions/standing.ts'

/** Contacts examined for one page, so that finding a rare tag among millions costs little. */
const maxContactsExamined = 10_000

const contact = Type.Object({
  ...contactFields,
  consent: Type.Object({ email: consentStatus, sms: consentStatus }),
  standing: standingView,
})

export const contactList = operation({
  name: 'contact.list',
  title: 'List contacts',
  area: 'contacts',
  everyday: true,
  summary:
    'Contacts of a business, newest first, in brief (view: full has all); q finds by any part of a name, address, number or own field, one letter mistyped, filter by conditions. A page may be short, or empty, while there is a next_cursor.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: ['GET /v1/contacts', 'POST /v1/contacts/query'],
  locate: { segment_id: bySegment },
  input: {
    q: searchInput,
    email: Type.Optional(Type.String({ maxLength: 320, description: 'Has exactly this address.' })),
    external_id: Type.Optional(externalIdInput),
    tag: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: contactLimits.tagLength,
        description: 'Has this tag.',
      }),
    ),
    email_consent: Type.Optional(Type.Enum(consentStatuses)),
    sms_consent: Type.Optional(Type.Enum(consentStatuses)),
    filter: filterInput,
    segment_id: Type.Optional(segmentIdInput),
    view: viewInput,
    ...pageInput,
  },
  seldom: ['email', 'external_id', 'view'],
  output: Type.Object({ contacts: Type.Array(contact), next_cursor: nextCursor }),

  async run(context, input) {
    const { q, email, external_id, tag, email_consent, sms_consent, ...others } = input
    const { filter, segment_id, view, ...paging } = others
    const { db, business, hmac } = context
    const page = pageOf('contact', paging)
    const only = await findNamed(db, business.id, { email, external_id })
    if (only === null) return { contacts: [] }
    const where = await combineConditions(context, { filter, segment_id })
    const narrowing = {
      search: q === undefined ? null : await searchFor(db, q, isMasked(context)),
      tag: tag ?? null,
      emailConsent: email_consent ?? null,
      smsConsent: sms_consent ?? null,
    }
    const query = { narrowing, where, page, only }
    const { rows, floor } = await pageOfContacts(db, business.id, query)
    const standings = await standingsOf(db, hmac, business.id, rows)
    const fullOf = (entry: Contact): Static<typeof contact> => ({
      ...fieldsOf(entry),
      consent: entry.consent,
      standing: standings.get(entry.id) ?? standingOf(entry, []),
    })
    const viewOf = isBrief(context, view) ? briefOf : fullOf
    const { shown: pageRows, next } = pageFrom('contact', rows, page, viewOf)
    return {
      contacts: pageRows.map(viewOf),
      ...(next ?? (floor && { next_cursor: formatId('contact', floor) })),
    }
  },
})

/**
 * What a model gets unless it asks for the whole: the id, the addresses, the name and the consent. The
 * schema is that of the whole, which programs get.
 */
function briefOf({ id, email, phone, name, consent }: Contact): Static<typeof contact> {
  const brief = {
    contact_id: formatId('contact', id),
    ...(email !== null && { email }),
    ...(phone !== null && { phone }),
    ...(name !== null && { untrusted: { name } }),
    consent: { email: consent.email, sms: consent.sms },
  }
  return brief as Static<typeof contact>
}

/** The contact with the address and the id; null if nobody has both, undefined if none is asked for. */
async function findNamed(
  db: Db,
  businessId: Id<'business'>,
  { email, external_id }: { email: string | undefined; external_id: string | undefined },
): Promise<Id<'contact'> | null | undefined> {
  if (email === undefined && external_id === undefined) return undefined
  const contacts = await Promise.all([
    email === undefined
      ? []
      : findContactBy(db, businessId, { email: orThrow(normaliseEmail(email)) }),
    external_id === undefined ? [] : findContactBy(db, businessId, { external_id }),
  ])
  const [id, ...others] = contacts.flat().map((contact) => contact?.id ?? null)
  return id !== undefined && others.every((other) => other === id) ? id : null
}

/** The condition of the filter and the segment together; null if neither is given. */
async function combineConditions(
  context: BusinessContext,
  { filter, segment_id }: { filter?: object | undefined; segment_id?: string | undefined },
): Promise<Condition | null> {
  const conditions: Condition[] = []
  if (filter !== undefined) {
    const where = await readAndCompileFilter(context, filter)
    conditions.push(where)
  }
  if (segment_id !== undefined) {
    const segment = await segmentOf(context, segment_id)
    const where = await compileCondition(context, segment.filter, bySegmentId)
    conditions.push(where)
  }
  if (conditions.length === 0) return null
  return (range) =>
    joined(
      conditions.map((condition) => condition(range)),
      'and',
    )
}

interface FoundPage {
  rows: Contact[]
  /** Where scanning stopped, if it stopped before the end of the list. */
  floor?: Id<'contact'> | undefined
}

interface PageQuery {
  narrowing: Omit<ContactConditions, 'where'>
  where: Condition | null
  page: Page<'contact'>
  /** The one contact that may be listed. */
  only: Id<'contact'> | undefined
}

async function pageOfContacts(
  db: Db,
  businessId: Id<'business'>,
  { narrowing, where: condition, page, only }: PageQuery,
): Promise<FoundPage> {
  const where: Condition | null =
    only === undefined
      ? condition
      : (range) => sqlWithin`c.id = ${only} and ${condition?.(range) ?? sql`true`}`
  const { search, ...others } = narrowing
  const [matches, nearest] = search ? await matchesOf(db, businessId, search) : []
  if (matches !== undefined && nearest && matches < fewMatches) {
    const conditions = { ...others, where: where === null ? null : where(), ...page }
    return { rows: await searchContacts(db, businessId, nearest, conditions) }
  }
  if (only !== undefined) {
    const range = { from: only, before: page.before }
    const walk = { ...narrowing, search: nearest ?? null, ...page, where: where?.(range) ?? null }
    return { rows: await scanContacts(db, businessId, { ...walk, downTo: only }) }
  }
  const filtered = where !== null || Object.values(narrowing).some((entry) => entry !== null)
  const floor = filtered
    ? await findFloor(db, businessId, page.before, maxContactsExamined)
    : undefined
  const range = { from: floor ?? null, before: page.before }
  const walk = {
    ...narrowing,
    search: nearest ?? null,
    ...page,
    where: where === null ? null : where(range),
    downTo: floor ?? null,
  }
  return { rows: await scanContacts(db, businessId, walk), floor }
}
