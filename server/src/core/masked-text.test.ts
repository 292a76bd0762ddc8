import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal, orRefusal } from './errors.ts'
import {
  addressesIn,
  checkMaskedInput,
  linkAsWritten,
  masked,
  maskedPerson,
  maskedReader,
  namedIn,
  partFieldsOf,
} from './masked-text.ts'

const none: ReadonlySet<string> = new Set()

test('an address is masked wherever it stands in a text', () => {
  const spellings: [string, string][] = [
    ['anna.weber@example.com', 'a…@example.com'],
    ['Mail <anna@example.com>, please', 'Mail <a…@example.com>, please'],
    ['mailto:anna@example.com?subject=x', 'mailto:a…@example.com?subject=x'],
    ['https://a.example/?to=anna%40example.com&x=1', 'https://a.example/?to=a…%40example.com&x=1'],
    ['https://a.example/u/anna+news@example.com/x', 'https://a.example/u/a…@example.com/x'],
    ['jürg@müller.example', 'j…@müller.example'],
    ['a@example.com,b@example.com', 'a…@example.com,b…@example.com'],
    ['"ANNA@EXAMPLE.COM"', '"A…@EXAMPLE.COM"'],
    ['at 5 @ noon', 'at 5 @ noon'],
    ['@handle', '@handle'],
    ['anna @ example.com', 'a…@ example.com'],
    ['anna＠example.com', 'a…＠example.com'],
    ['anna&#64;example.com', 'a…&#64;example.com'],
    ['"anna weber"@example.com', '"…@example.com'],
    ['anna/weber@example.com', 'a…@example.com'],
    ['to=anna@example.com', 't…@example.com'],
  ]
  for (const [text, shown] of spellings) assert.equal(masked(text, none), shown)
})

test('a number is masked in its spellings, and what is no number stays', () => {
  const spellings: [string, string][] = [
    ['+41791234567', '+41…67'],
    ['call +41 79 123 45 67 now', 'call +41…67 now'],
    ['0791234567', '079…67'],
    ['?phone=%2B41791234567', '?phone=%2B…67'],
    ['tel:+41791234567', 'tel:+41…67'],
    ['0791234567 0041791234567', '079…67'],
    ['01.12.2026 079 123 45 67', '01.12.2026 079…67'],
    ['+41\u00a079\u2009123\u00a045\u00a067', '+41…67'],
    ['+41 (0)79 123 45 67x', '+41…67x'],
    ['079\u2011123\u201145\u201167', '079…67'],
    ['0.1234567890', '0.1234567890'],
    ['41791234567', '41791234567'],
    ['2026-11-28T23:00:00.000Z', '2026-11-28T23:00:00.000Z'],
    ['01.12.2026', '01.12.2026'],
    ['01.12.2026 10:30 and 01.12.2026 10.30', '01.12.2026 10:30 and 01.12.2026 10.30'],
    ['01.23.45.67.89', '01.…89'],
    ['0791234567: call', '079…67: call'],
    ['con_01hzx7v4q3n8k2m5p6r9s0t1w2', 'con_01hzx7v4q3n8k2m5p6r9s0t1w2'],
    ['1000000', '1000000'],
  ]
  for (const [text, shown] of spellings) assert.equal(masked(text, none), shown)
})

test('what the caller typed is repeated, in whatever spelling', () => {
  const exceptions = addressesIn({ to: ['Anna@Example.com'], phone: '+41 79 123 45 67' })
  const answer = { 'anna@example.com': '+41791234567', other: ['b@example.com'], sha256: 'ff' }
  const shown = { 'anna@example.com': '+41791234567', other: ['b…@example.com'], sha256: null }
  assert.deepEqual(masked(answer, exceptions), shown)
})

test('whom a call names is repeated, and no address that it tries elsewhere', () => {
  const filter = {
    and: [
      { field: 'email', op: 'is', value: 'ben@example.com' },
      { field: 'email', op: 'in', value: ['cas@example.com'] },
    ],
  }
  const messages = [{ to: ['Dora <dora@example.com>'], subject: 'Mail eve@example.com' }]
  const text = 'fay@example.com +41791234568'
  const named = namedIn({
    email: 'Anna@Example.com',
    filter,
    messages,
    text,
    phone: '+41791234567',
  })
  assert.deepEqual([...named].sort(), [
    '+41791234567',
    'anna@example.com',
    'ben@example.com',
    'dora@example.com',
  ])
  const guesses = Array.from({ length: 300 }, (_, n) => ({ email: `a${n}@example.com` }))
  assert.equal(namedIn({ contacts: guesses }).size, 20)
})

test('a long number without a sign is masked where a stranger typed it', () => {
  const answer = {
    order: '41791234567',
    untrusted: { tel: 41_791_234_567, year: 2026, no: '41791234567' },
  }
  const shown = { order: '41791234567', untrusted: { tel: '417…67', year: 2026, no: '417…67' } }
  assert.deepEqual(masked(answer, none), shown)
})

test('a contact of a preview keeps the length of neither address nor number', () => {
  const person = { email: 'anna@example.com', phone: '+41791234567', name: 'Anna' }
  const shown = { email: 'a…@example.com', phone: '+41…67', name: 'Anna' }
  assert.deepEqual(maskedPerson(person), shown)
  assert.deepEqual(maskedPerson({ email: null, phone: null }), { email: null, phone: null })
  const attributes = { mail: 'ben@example.com', tel: 41_791_234_567, plan: 'pro' }
  const other = { email: null, phone: null, name: 'ben@example.com', attributes }
  assert.deepEqual(maskedPerson(other), {
    ...other,
    name: 'b…@example.com',
    attributes: { mail: 'b…@example.com', tel: '417…67', plan: 'pro' },
  })
})

test('a contact keeps the numbers of orders and hashes in the mail to them', () => {
  const attributes = { order: '4179123456789', invoice: 41_791_234_568, sha256: 'ff', vip: true }
  const own = { mail: 'ben@example.com', tel: '41791234567', number: 41_791_234_567 }
  const person = {
    email: 'anna@example.com',
    phone: '+41791234567',
    name: 'ben@example.com',
    attributes: { ...attributes, ...own },
    tags: ['vip'],
  }
  assert.deepEqual(maskedReader(person), {
    email: 'a…@example.com',
    phone: '+41…67',
    name: 'b…@example.com',
    attributes: { ...attributes, mail: 'b…@example.com', tel: '417…67', number: '417…67' },
    tags: ['vip'],
  })
})

test('conditions on addresses and numbers take whole values only, however deep', async () => {
  const refusedBy = async (condition: object) => {
    const filter = { and: [{ not: condition }] }
    const checked = await orRefusal(() => checkMaskedInput({ audience: { filter } }))
    return isRefusal(checked) ? checked : undefined
  }
  for (const field of ['email', 'phone', 'email_domain']) {
    for (const op of ['contains', 'starts_with', 'ends_with', 'in', 'is_not', 'not_in', 'gt']) {
      const refusal = await refusedBy({ field, op, value: 'a' })
      assert.ok(refusal, `${field} ${op}`)
      assert.equal(refusal.details.field, 'audience.filter.and[0].not.op')
    }
    assert.equal(await refusedBy({ field, op: 'is', value: 'a@example.com' }), undefined)
  }
  assert.equal(await refusedBy({ field: 'name', op: 'contains', value: 'a' }), undefined)
  for (const word of ['did', 'did_not']) {
    const clicked = { [word]: 'message.clicked' }
    const guessed = await refusedBy({ ...clicked, link: 'https://shop.example/?p=anna' })
    assert.equal(guessed?.details.field, 'audience.filter.and[0].not.link')
    assert.equal(await refusedBy(clicked), undefined)
    const where = (rule: object) => refusedBy({ [word]: 'order', where: { 'properties.to': rule } })
    const part = await where({ contains: 'ann' })
    assert.equal(part?.details.field, 'audience.filter.and[0].not.where.properties.to')
    for (const rule of [{ gt: 41_791_234_567 }, { lt: 100_000_000 }, { gt: '41791234567' }]) {
      assert.equal(
        (await where(rule))?.details.field,
        'audience.filter.and[0].not.where.properties.to',
      )
    }
    for (const rule of [
      { is: 'a' },
      { in: ['a'] },
      { gt: 1 },
      { lt: 99_999_999 },
      { entry: 'to' },
    ]) {
      assert.equal(await where(rule), undefined)
    }
  }
  const enter = { on: 'own_event', event: 'cart', where: { 'properties.to': { contains: 'a' } } }
  const entering = await orRefusal(() => checkMaskedInput({ enter }))
  assert.ok(isRefusal(entering))
  assert.equal(entering.details.field, 'enter.where.properties.to')
})

test('each field is read once for its parts, and fifty of them at most', async () => {
  const and = ['contains', 'gt', 'lt', 'starts_with'].map((op) => ({
    field: 'attributes.a',
    op,
    value: 1,
  }))
  const fields = partFieldsOf(checkMaskedInput({ filter: { and } }))
  assert.deepEqual(
    fields.map(({ at, isNumber }) => [at, isNumber]),
    [
      ['filter.and[0].op', false],
      ['filter.and[1].op', true],
    ],
  )
  const many = Array.from({ length: 51 }, (_, n) => ({
    field: `attributes.a${n}`,
    op: 'gt',
    value: 1,
  }))
  assert.equal(partFieldsOf(checkMaskedInput({ filter: { and: many.slice(1) } })).length, 50)
  assert.ok(
    isRefusal(await orRefusal(() => partFieldsOf(checkMaskedInput({ filter: { and: many } })))),
  )
})

test('content puts an address out as it is, and neither compares nor changes it', async () => {
  const taken = [
    'Hello {{ contact.name }}, {{ contact.email }}',
    '{{- contact.phone -}}',
    '{% if contact.attributes.plan == "pro" %}contact us{% endif %}',
    '{{ name | default: "our contact" }}, {{ contact.first_name | upcase }}',
    'contact.email without a tag',
    '{% for tag in contact.tags %}{{ tag }}{% endfor %}',
  ]
  const refused = [
    '{{ contact.email | slice: 0 }}',
    '{% if contact.email contains "a" %}x{% endif %}',
    '{% if contact.phone %}x{% endif %}',
    '{% assign c = contact %}',
    '{{ contact["email"] }}',
    '{% for field in contact %}x{% endfor %}',
    '{{ "}}" | append: contact.email | size }}',
    '{{ " }} {% assign x = contact.email %} " }}',
    '{{ contact.name | default: contact.email }}',
    '{% capture x %}{{ contact.email }}{% endcapture %}{{ x | size }}',
  ]
  for (const text of taken) assert.deepEqual(checkMaskedInput({ content: [{ text }] }), [], text)
  for (const text of refused) {
    const refusal = await orRefusal(() => checkMaskedInput({ content: [{ text }] }))
    assert.ok(isRefusal(refusal), text)
    assert.equal(refusal.details.field, 'content[0].text')
  }
  const opened = { text: '{%- capture x %}' }
  const parts = [
    opened,
    { text: '{{ contact.phone }}' },
    { text: '{% endcapture %}{{ x | size }}' },
  ]
  const refusal = await orRefusal(() => checkMaskedInput({ blocks: parts }))
  assert.ok(isRefusal(refusal))
  assert.equal(refusal.details.field, 'blocks[1].text')
  assert.deepEqual(checkMaskedInput({ blocks: [opened, { text: '{{ contact.name }}' }] }), [])
})

test('conditions on a part of another field are named, for the field may hold addresses', () => {
  const part = { field: 'attributes.mail', op: 'starts_with', value: 'a' }
  const whole = { field: 'attributes.mail', op: 'is', value: 'a' }
  const named = checkMaskedInput({
    filter: { and: [part, whole, { field: 'name', op: 'exists' }] },
  })
  assert.deepEqual(named, [{ field: 'attributes.mail', isNumber: false, at: 'filter.and[0].op' }])
})

test('what was filled in for a person is not shown beside their message', () => {
  const untrusted = { subject: 'Hello ann at example', text: 'ann' }
  const clicked = { message_id: 'msg_1', url: 'https://a.example/ann?x=ann' }
  assert.deepEqual(masked([{ message_id: 'msg_1', untrusted }, clicked], none), [
    { message_id: 'msg_1', untrusted: { subject: null } },
    { message_id: 'msg_1', url: 'https://a.example/…' },
  ])
})

test('a link is shown as far as the content has it in plain, and never its query', () => {
  const texts = [
    'See <a href="https://own.example/menu?p={{ contact.email }}">',
    '//own.example/abc',
  ]
  const shown: [string, string][] = [
    ['https://own.example/menu?p=ann', 'https://own.example/menu…'],
    ['https://own.example/menu', 'https://own.example/menu'],
    ['https://own.example/menu#ann', 'https://own.example/menu…'],
    ['https://own.example/ann', 'https://own.example/…'],
    ['https://own.example/a', 'https://own.example/…'],
    ['https://own.example/?p=ann', 'https://own.example/…'],
    ['https://ann.example/menu', '…'],
    ['https://own.exam/menu', '…'],
    ['mailto:ann', '…'],
    ['ann', '…'],
  ]
  for (const [link, as] of shown) {
    assert.equal(linkAsWritten(link, texts), as, link)
    assert.deepEqual(masked([{ url: as, people: 1 }], none), [{ url: as, people: 1 }])
  }
  const counted = [{ url: 'https://own.example/menu?p=ann', people: 1, machines: 0 }]
  assert.equal(masked(counted, none)[0]?.url, 'https://own.example/menu…')
})

test('long texts of addresses and digits take linear time', () => {
  for (const part of ['a@', 'a@b.c,', '+4179', '%40', '0 0 0 0 ']) {
    masked(part.repeat(50_000), none)
  }
})
