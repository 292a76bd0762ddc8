/**
 * A connection that sees people masked, in the hands of somebody who wants their addresses. Whatever it
 * calls, and however wrongly, no part of an address or number that it did not type comes back; and no
 * answer depends on a part of one, so that nothing can be found out by guessing.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operators } from 'crier-server/contacts/filters/filter.ts'
import { argumentsOf } from '../operations/support/arguments.ts'
import { addBelongings, type Belongings } from '../operations/support/belongings.ts'
import { lines } from '../operations/support/lines.ts'
import { catalog, type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import { fc } from '../support/properties.ts'
import { hasPlanted, type Planted, plant, planted } from './planted-addresses.ts'

/** `npm run soak -- --only masked` guesses parts of all 200, and calls more often. */
const people = Number(process.env['MASKED_PEOPLE'] ?? 2)
/** Every how many questions one person is asked about. */
const stride = people > 10 ? 20 : 1
const callsEach = Number(process.env['MASKED_CALLS'] ?? 4)

let testbed: OwnTestbed
let own: Belongings
let others: Belongings
let masked: ToolCaller
before(async () => {
  testbed = await openTestbed({ idle: true })
  others = await addBelongings(testbed, 'bravo', { campaigns: 10 })
  const before = await addBelongings(testbed, 'alpha', { campaigns: 40 })
  const whole = await testbed.caller({ businesses: [before.id] })
  own = await plant(testbed, before, whole)
  const { userId } = await testbed.appCaller({ businesses: [own.id] })
  masked = await testbed.caller({ businesses: [own.id], userId, seesMasked: true })
})
after(() => testbed.close())

/** The input of a call, and what it lacks or has wrong. */
function inputsOf(operation: (typeof catalog)[number]): object[] {
  const sample = lines[operation.name]?.sample(own) ?? {}
  const { limit: _limit, ...plain } = sample as { limit?: number }
  const most = 'limit' in operation.input.properties ? [{ ...plain, limit: 200 }] : []
  const full = 'view' in operation.input.properties ? [{ ...plain, limit: 200, view: 'full' }] : []
  const arbitrary = fc.sample(argumentsOf(operation, own, others), { numRuns: callsEach })
  return [plain, ...most, ...full, ...arbitrary]
}

/** Calls that show what is known of a person with planted addresses, and how it comes out in content. */
function callsAboutOne({ contact_id, form_id, campaign_id, word }: Belongings): [string, object][] {
  return [
    ['contact.get', { contact_id }],
    ['contact.list', { q: 'Write to', view: 'full' }],
    ['message.list', { contact_id }],
    ['submission.list', { form_id, limit: 200 }],
    ['segment.explain', { filter: { tag: word }, contact_id }],
    ['campaign.why', { campaign_id, contact_id }],
    ['contact.merge', { contact_id, other_contact_id: contact_id }],
    ['inbox.list', { limit: 200 }],
    ['meta.activity', { all: true }],
    [
      'template.preview',
      {
        subject: '{{ contact.name | split: "@" | first }}',
        text: '{{ contact.attributes.mail | upcase }} {{ contact.attributes.number }} {{ contact.attributes.note | replace: "@", " at " }}',
        html: '<p>{{ contact.first_name | slice: 0, 6 }} {{ contact.email }} {{ contact.phone }}</p>',
        contact_id,
      },
    ],
  ]
}

test('no stored address or number comes back, from valid, wrong and arbitrary calls of every operation', async (t) => {
  const met = { answer: 0, refusal: 0, error: 0 }
  const leaks: string[] = []
  const look = async (name: string, input: object) => {
    const { text, kind, body } = await masked.call(name, input)
    met[kind]++
    // What the call itself holds may be repeated.
    if (!hasPlanted(JSON.stringify(input)) && hasPlanted(text))
      leaks.push(`${name} ${JSON.stringify(input)}: ${shownLeak(text)}`)
    return body
  }
  for (const [name, input] of callsAboutOne(own)) await look(name, input)
  const list = await look('message.list', { limit: 200 })
  const messages = list['messages'] as { message_id: string }[]
  assert.ok(messages.length > 5)
  for (const { message_id } of messages.slice(0, 20)) {
    await look('message.get', { message_id, content: true })
  }
  for (const operation of catalog) {
    for (const input of inputsOf(operation)) await look(operation.name, input)
  }
  t.diagnostic(`${JSON.stringify(met)} of ${catalog.length} operations`)
  assert.deepEqual(leaks, [])
  assert.ok(met.answer > catalog.length && met.refusal > catalog.length, JSON.stringify(met))
})

/** Where it stands in an answer. */
function shownLeak(text: string): string {
  const at = planted
    .flatMap(({ local, digits }) => [text.toLowerCase().indexOf(local), text.indexOf(digits)])
    .find((place) => place >= 0)
  return text.slice(Math.max(0, (at ?? 0) - 150), (at ?? 0) + 60)
}

test('it reads people all the same, by what is left of their addresses', async () => {
  const { body } = await masked.call('contact.get', { contact_id: own.contact_id })
  assert.match(JSON.stringify(body), /k…@hidden\.example.*\+41…\d\d/)
})

test('it finds a person by the whole address alone', async () => {
  const [first, second] = planted as [Planted, Planted]
  const found = async (q: string) =>
    (await masked.get<{ contacts: object[] }>('contact.list', { q })).contacts.length
  assert.equal(await found(first.email), 1)
  assert.equal(await found(first.phone), 1)
  for (const length of [1, 3, 5, first.local.length, first.email.length - 1]) {
    assert.equal(await found(first.email.slice(0, length)), 0, `${length} characters`)
  }
  for (const part of ['hidden', '+4170', first.digits, first.local]) {
    assert.equal(await found(part), 0, part)
    const { kind, body } = await masked.call('export.create', { q: part, as_text: true })
    assert.deepEqual([kind, body['field']], ['refusal', 'q'])
  }
  const shape = (value: unknown) => ({ field: 'email', op: 'is', value })
  const filter = { or: [shape(first.email), shape(second.email)] }
  const { count } = await masked.get<{ count: number }>('segment.explain', { filter })
  assert.equal(count, 2)
  const parts = ['contains', 'starts_with', 'ends_with', 'not_contains', 'in', 'is_not']
  const takers = { 'contact.list': {}, 'segment.save': { name: 'x' }, 'segment.explain': {} }
  for (const field of ['email', 'phone', 'email_domain']) {
    for (const op of parts) {
      for (const [name, input] of Object.entries(takers)) {
        const wish = { ...input, filter: { not: { field, op, value: first.local } } }
        const { kind, body } = await masked.call(name, wish)
        assert.deepEqual([kind, body['sees']], ['refusal', 'masked'], `${name} ${field} ${op}`)
      }
    }
  }
})

/** What can be asked with a part of an address, each as an input that has the part in it. */
type Question = [name: string, input: object]

const conditions = (part: string): object[] => {
  const value = part
  const ofFields = [
    'email',
    'phone',
    'email_domain',
    'name',
    'first_name',
    'last_name',
    'external_id',
    'source',
    'attributes.mail',
    'attributes.note',
  ].flatMap((field) =>
    operators.text.map((op) => ({
      field,
      op,
      value: op === 'in' || op === 'not_in' ? [value] : value,
    })),
  )
  const number = Number(part.replace(/\D/g, '').slice(0, 11).padEnd(11, '0'))
  const ofNumbers = ['gt', 'lt', 'gte', 'lte'].map((op) => ({
    field: 'attributes.number',
    op,
    value: number,
  }))
  const ofEvents = [
    { did: own.word, where: { 'properties.mail': { contains: part } } },
    { did: 'message.clicked', link: `https://shop.example/${part}` },
    { did: 'message.delivered', where: { subject: { contains: part } } },
  ]
  return [...ofFields, ...ofNumbers, ...ofEvents]
}

const liquid = (part: string) =>
  `{% if contact.email contains "${part}" %}{{ nothing_gives_this }}{% endif %}Hello`
const aliased = (part: string) =>
  `{% assign c = contact %}{% if c.email contains "${part}" %}{{ nothing_gives_this }}{% endif %}Hello`
const quoted = (part: string) => `{{ "}}" | append: contact.email | split: "${part}" | size }}`
const ofAttribute = (part: string) =>
  `{% if contact.attributes.mail contains "${part}" %}{{ nothing_gives_this }}{% endif %}Hello`

function questions(part: string): Question[] {
  const { contact_id, form_id } = own
  const mail = { contact_id, variables: {}, allow_duplicate: true, send_at: inADay }
  const byFilter = conditions(part).flatMap((filter): Question[] => [
    ['contact.list', { filter }],
    ['segment.explain', { filter: { not: filter } }],
    ['segment.save', { name: 'Guess', filter, dry_run: true }],
  ])
  const byWords = [liquid, aliased, quoted, ofAttribute].flatMap((words): Question[] => [
    ['template.preview', { subject: words(part), text: 'Hello', contact_id }],
    ['email.send', { ...mail, subject: 'Hello', text: words(part) }],
    ['email.send', { ...mail, subject: words(part), text: 'Hello' }],
    ['sms.send', { ...mail, text: `${words(part)} ${'x'.repeat(150)}` }],
  ])
  return [
    ...byFilter,
    ...byWords,
    ['contact.list', { q: part }],
    ['contact.list', { email: part }],
    ['contact.list', { external_id: part }],
    ['contact.get_by_email', { email: part }],
    ['contact.get_by_external_id', { external_id: part }],
    ['message.list', { subject: part }],
    ['message.list', { to: part }],
    ['message.list', { metadata: `mail=${part}` }],
    ['message.list', { tag: part }],
    ['inbox.list', { search: part }],
    ['inbox.list', { to: part }],
    ['suppression.list', { email: part }],
    ['suppression.list', { phone: part }],
    ['export.create', { q: part, as_text: true }],
    ['campaign.list', { q: part }],
    ['template.list', { q: part }],
    ['meta.find', { query: part }],
    ['contact.import', { contacts: [{ email: `${part}` }], each_row: true }],
    ['form.submit', { form_id, fields: { email: part } }],
    [
      'campaign.generate',
      { channel: 'email', content: { subject: 'Hello', html: `<p>${liquid(part)}</p>` } },
    ],
    ['template.save', { name: 'Guess', subject: liquid(part), html: '<p>x</p>', dry_run: true }],
  ]
}

const inADay = new Date(Date.now() + 86_400_000).toISOString()

/** A part of the address or the number, and as long a text that is a part of none. */
function guesses({ local, digits, phone }: Planted): [right: string, wrong: string][] {
  // With the same first letter, which is shown where a call repeats it.
  const other = `${local[0]}${'x'.repeat(local.length - 1)}`
  return [
    [local.slice(0, 4), other.slice(0, 4)],
    [local, other],
    [`${local}@hidden.exampl`, `${other}@hidden.exampl`],
    [phone.slice(0, 10), `+417${'9'.repeat(6)}`],
    [digits, '99999999'],
  ]
}

/** An answer without what differs from call to call, and without the guess that it repeats. */
const plain = (text: string, guess: string) =>
  text
    .replaceAll(JSON.stringify(guess).slice(1, -1), '#')
    .replaceAll(guess.toLowerCase(), '#')
    // A number that is repeated is masked, except where it names somebody.
    .replaceAll(/\+41…\d\d/g, '#')
    .replaceAll(/\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}\b/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/\\?"(?:ms|took)\\?":\d+/g, '')

test('no answer tells a part of an address from a text that is a part of none', async (t) => {
  const telling: string[] = []
  let asked = 0
  const step = Math.floor(planted.length / people)
  for (let i = 0; i < people; i++) {
    const about = planted[i * step] as Planted
    const pairs = guesses(about)
    for (const n of questions('').keys()) {
      if (n % stride !== i % stride) continue
      const [right, wrong] = pairs[(n + i) % pairs.length] as [string, string]
      const [name, input] = questions(right)[n] as Question
      const [, other] = questions(wrong)[n] as Question
      const [first, second] = [await masked.call(name, input), await masked.call(name, other)]
      asked += 2
      const [told, untold] = [plain(first.text, right), plain(second.text, wrong)]
      if (told === untold) continue
      telling.push(
        `${name} ${JSON.stringify(input).slice(0, 160)}: ${told.slice(0, 260)} <> ${untold.slice(0, 260)}`,
      )
    }
  }
  t.diagnostic(`${asked} calls guessed parts of ${people} addresses and numbers`)
  assert.deepEqual(telling, [])
})

test('a template of a person tells by no refusal and no length what it reads of the recipient', async () => {
  const owner = await testbed.caller({ businesses: [own.id] })
  const person = { email: 'guessed@plain.example', phone: '+41791112233', language: 'de' }
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', person)
  const if_guessed = '{% if contact.email contains "guess" %}'
  const long = await owner.get<{ template_id: string }>('template.save', {
    name: 'Long',
    channel: 'sms',
    text: `${if_guessed}${'x'.repeat(200)}{% endif %}Hello`,
  })
  const lacking = await owner.get<{ template_id: string }>('template.save', {
    name: 'Lacking',
    subject: 'Hello',
    html: '<p>Hello</p>',
    translations: {
      de: { subject: 'Hallo', html: `<p>${if_guessed}{{ nothing_gives_this }}{% endif %}</p>` },
    },
  })
  const rest = { contact_id, allow_duplicate: true, send_at: inADay }
  const text = { ...rest, template_id: long.template_id }
  const mail = { ...rest, template_id: lacking.template_id }
  assert.equal((await owner.get<{ segments: number }>('sms.send', text)).segments, 2)
  assert.equal((await owner.call('email.send', mail)).body['reason'], 'unknown_words')
  assert.equal((await masked.get<{ segments: number }>('sms.send', text)).segments, 1)
  assert.equal((await masked.call('email.send', mail)).kind, 'answer')
})
