/** Saves sets of any people, and compares with a simple program that saves them one by one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  contactsCounted,
  contactsOf,
  eventsOf,
  saveAll,
  someTopics,
  toSave,
} from '../../../tests/support/businesses/contacts.ts'
import { assertEventFits } from '../../../tests/support/businesses/event-schema.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { fc } from '../../../tests/support/properties.ts'
import { isRefusal } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import type {
  Channel,
  ConsentStatus,
  ConsentSubject,
  ContactSource,
  ContactValues,
  Person,
  TopicStatus,
} from './contact.ts'

let database: TestDatabase

before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

interface ConsentChoice {
  person: Person
  source: ContactSource
}

interface Known {
  email: string | null
  phone: string | null
  name: string | null
  language: string | null
  attributes: Record<string, unknown>
  tags: string[]
  consent: Record<ConsentSubject, ConsentStatus>
  topics: Record<Channel, Record<string, TopicStatus>>
}

/** A second implementation of the merge rules: simple, for one person at a time. */
class Model {
  people: Known[] = []
  /** Numbers whose person opted out there, and has another one now. */
  readonly noes = new Set<string>()

  save({ person, source }: ConsentChoice): string {
    const { email = null, phone = null } = person
    const byEmail = email === null ? undefined : this.people.find((entry) => entry.email === email)
    const byPhone = phone === null ? undefined : this.people.find((entry) => entry.phone === phone)
    if (byEmail && byPhone && byEmail !== byPhone) return 'conflict'
    if (!byEmail && byPhone && email !== null && byPhone.email !== null) return 'conflict'
    const old = byEmail ?? byPhone
    const known: Known = old
      ? structuredClone(old)
      : {
          email: null,
          phone: null,
          name: null,
          language: null,
          attributes: {},
          tags: [],
          consent: { email: 'none', sms: 'none', tracking: 'none' },
          topics: { email: {}, sms: {} },
        }
    const moved = known.phone !== null && phone !== null && known.phone !== phone
    if (moved && known.consent.sms === 'subscribed') known.consent.sms = 'none'
    if (moved) {
      for (const key of chosen(known.topics.sms)) delete known.topics.sms[key]
    }
    const gaveUp = moved && known.consent.sms === 'unsubscribed' ? known.phone : null
    if (email !== null) known.email = email
    if (phone !== null) known.phone = phone
    if (person.name !== undefined) known.name = person.name
    if (person.language !== undefined) known.language = person.language
    for (const [key, value] of Object.entries(person.attributes ?? {})) {
      if (value === null) delete known.attributes[key]
      else known.attributes[key] = value
    }
    const tags = [...known.tags, ...(person.tags ?? [])]
    known.tags = [...new Set(tags)].filter((tag) => !person.removeTags?.includes(tag)).sort()
    for (const channel of ['email', 'sms'] as const) {
      const { status, topics: named } = person.consent?.[channel] ?? {}
      if (status === undefined) continue
      if ((channel === 'email' ? known.email : known.phone) === null) return 'invalid_request'
      const stays = channel === 'sms' && source !== 'import' && this.noes.has(known.phone ?? '')
      if (stays && status === 'subscribed') continue
      this.say(known, channel, { status, named })
    }
    if (gaveUp !== null) this.noes.add(gaveUp)
    if (!old) {
      this.people.push(known)
      return 'created'
    }
    const same = JSON.stringify(sorted(old)) === JSON.stringify(sorted(known))
    Object.assign(old, known)
    return same ? 'unchanged' : 'updated'
  }

  say(known: Known, channel: Channel, { status, named }: Word): void {
    const topics = known.topics[channel]
    if (status === 'unsubscribed') {
      const before = chosen(topics).length
      for (const key of named ?? []) topics[key] = 'unsubscribed'
      const hasLeftAll = before > 0 && chosen(topics).length === 0
      if (!named || (hasLeftAll && known.consent[channel] !== 'none')) {
        known.consent[channel] = 'unsubscribed'
      }
      return
    }
    if (status === 'pending') {
      if (known.consent[channel] === 'none') known.consent[channel] = 'pending'
      return
    }
    // Nobody is resubscribed without a consent text and a later time.
    if (known.consent[channel] === 'unsubscribed') return
    const wanted = named?.filter((key) => topics[key] !== 'unsubscribed')
    if (wanted?.length === 0) return
    known.consent[channel] = 'subscribed'
    for (const key of wanted ?? []) topics[key] = 'subscribed'
  }
}

interface Word {
  status: 'pending' | 'subscribed' | 'unsubscribed'
  named: readonly string[] | undefined
}

const chosen = (topics: Record<string, TopicStatus>) =>
  Object.keys(topics).filter((key) => topics[key] === 'subscribed')

function inOrder<T>(entries: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function sorted(known: Known): Known {
  const { email, sms } = known.topics
  const topics = { email: inOrder(email), sms: inOrder(sms) }
  return { ...known, attributes: inOrder(known.attributes), topics }
}

/** The fields of a row or of an event's data that the model also knows. */
function knownOf({
  email,
  phone,
  name,
  language,
  attributes,
  tags,
  consent,
  topics,
}: ContactValues): Known {
  const both = { email: { ...topics.email }, sms: { ...topics.sms } }
  const rest = { email, phone, name, language, attributes, tags: [...tags], consent }
  return sorted({ ...rest, topics: both })
}

const anyConsent = fc.record(
  {
    status: fc.constantFrom('subscribed' as const, 'unsubscribed' as const),
    source: fc.constant('a page'),
    topics: fc.uniqueArray(fc.constantFrom('news', 'offers'), { minLength: 1 }),
  },
  { requiredKeys: ['status', 'source'] },
)
const anyPendingConsent = anyConsent.map((entry) => ({ ...entry, status: 'pending' as const }))
const email = fc.constantFrom('a@x.example', 'b@x.example', 'c@x.example', 'd@x.example')
const phone = fc.constantFrom('+33600000001', '+33600000002', '+33600000003')
const details = {
  name: fc.constantFrom('Ana', 'Bo'),
  language: fc.constantFrom('fr', 'de-AT'),
  attributes: fc.dictionary(
    fc.constantFrom('k1', 'k2'),
    fc.constantFrom<string | number | boolean | null>('x', 1, true, null),
  ),
  tags: fc.uniqueArray(fc.constantFrom('s', 't', 'u')),
  removeTags: fc.uniqueArray(fc.constantFrom('t', 'w')),
  consent: fc.record(
    { email: fc.oneof(anyConsent, anyPendingConsent), sms: anyConsent },
    { requiredKeys: [] },
  ),
}
const person = fc.oneof(
  fc.record({ email, ...details }, { requiredKeys: ['email'] }),
  fc.record({ phone, ...details }, { requiredKeys: ['phone'] }),
  fc.record({ email, phone, ...details }, { requiredKeys: ['email', 'phone'] }),
)
const anySave = fc.record({ person, source: fc.constantFrom('api' as const, 'import', 'form') })

test('saving people in batches has the same result as saving them one after the other', async () => {
  const { db } = database
  const run = async (sets: ConsentChoice[][]) => {
    const businessId = await newBusiness(db)
    await someTopics(db, businessId, ['news', 'offers'])
    const model = new Model()
    let changes = 0
    for (const set of sets) {
      const outcomes = await saveAll(
        db,
        set.map((said) => toSave(businessId, said.person, { source: said.source })),
      )
      const expected = set.map((said) => model.save(said))
      assert.deepEqual(
        outcomes.map((outcome) => (isRefusal(outcome) ? outcome.code : outcome.change)),
        expected,
      )
      changes += expected.filter((text) => text === 'created' || text === 'updated').length
    }
    const rows = await contactsOf(db, businessId)
    const byAddress = (a: Known, b: Known) =>
      JSON.stringify([a.email, a.phone]) < JSON.stringify([b.email, b.phone]) ? -1 : 1
    assert.deepEqual(rows.map(knownOf).sort(byAddress), model.people.map(sorted).sort(byAddress))
    assert.equal(await contactsCounted(db, businessId), rows.length)
    const all = await eventsOf(db, businessId)
    for (const event of all) assertEventFits(event)
    const events = all.filter(({ type }) => !type.endsWith('subscribed'))
    assert.equal(events.length, changes)
    // The last announced state of each contact is its row.
    for (const row of rows) {
      const id = formatId('contact', row.id)
      const last = events.findLast(({ data }) => data['contact_id'] === id)
      assert.deepEqual(knownOf(last?.data as unknown as ContactValues), knownOf(row))
    }
  }
  const sets = fc.array(fc.array(anySave, { minLength: 1, maxLength: 12 }), {
    minLength: 1,
    maxLength: 4,
  })
  await fc.assert(fc.asyncProperty(sets, run), { numRuns: 150 })
})
