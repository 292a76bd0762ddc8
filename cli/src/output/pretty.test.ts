import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { pretty } from './pretty.ts'

const shown = (value: unknown) => stripVTControlCharacters(pretty(value))

test('a list of flat objects is printed as a table', () => {
  const rows = [
    { id: 'bus_1', name: 'Brindlequay', roles: ['owner'] },
    { id: 'bus_22', name: null, extra: 3 },
  ]
  assert.equal(
    shown(rows),
    [
      'id      name         roles  extra',
      'bus_1   Brindlequay  owner  –',
      'bus_22  –            –      3',
    ].join('\n'),
  )
})

test('an object is printed with one line for each key, and nested values are indented', () => {
  const value = { url: 'http://x', list: [{ a: 1 }], deep: { b: true }, empty: {} }
  assert.equal(
    shown(value),
    ['url  http://x', 'list', '  a', '  1', 'deep', '  b  true', 'empty', '  nothing'].join('\n'),
  )
})

test('a list of mixed values is printed as a list', () => {
  assert.equal(shown([{ a: { b: 1 } }, 'x']), ['- a', '    b  1', '- x'].join('\n'))
  assert.equal(shown([]), 'none')
})

test('a list of nested objects is printed as a table, and the key untrusted is left out of column names', () => {
  const contacts = [
    {
      contact_id: 'con_1',
      untrusted: { name: 'Ana' },
      consent: { email: { status: 'subscribed' } },
    },
    { contact_id: 'con_2', untrusted: { name: null }, consent: { email: { status: 'none' } } },
  ]
  assert.equal(
    shown({ contacts, next_cursor: 'abc' }),
    [
      'next_cursor  abc',
      'contacts',
      '  contact_id  name  consent.email',
      '  con_1       Ana   {…}',
      '  con_2       –     {…}',
    ].join('\n'),
  )
})

test('a table is no wider than the terminal, and names the columns it leaves out', () => {
  const rows = [{ id: 'bus_1', name: 'x'.repeat(100), city: 'Lyon', note: 'n'.repeat(30) }]
  const narrow = stripVTControlCharacters(pretty(rows, { width: 70 })).split('\n')
  assert.match(narrow.at(-1) ?? '', /^not shown: note \(--full shows all\)$/)
  assert.ok(narrow.every((line) => line.length <= 70))
  assert.match(narrow[1] ?? '', /x{47}… {2}Lyon$/)
  const full = stripVTControlCharacters(pretty(rows, { width: 70, full: true }))
  assert.ok(full.includes('x'.repeat(100)) && full.includes('n'.repeat(30)))
})

test('in a narrow terminal the status and the name stay, and other columns are left out', () => {
  const rows = [
    {
      campaign_id: 'c'.repeat(30),
      channel: 'email',
      recipients: 1200,
      name: 'News',
      status: 'paused',
    },
  ]
  const [head = '', , left = ''] = stripVTControlCharacters(pretty(rows, { width: 46 })).split('\n')
  assert.deepEqual(head.split(/ +/), ['campaign_id', 'name', 'status'])
  assert.match(left, /^not shown: channel, recipients /)
})

test('the HTML of a campaign is printed only with --full', () => {
  const campaign = {
    name: 'Spring',
    variants: [{ variant: 0, content: { html: 'h'.repeat(9_000) } }],
  }
  assert.doesNotMatch(shown(campaign), /hhh/)
  assert.equal(shown({ html: 'h'.repeat(9_000) }), 'html  9,000 characters; --full shows them')
  assert.ok(pretty(campaign, { full: true }).includes('h'.repeat(9_000)))
})

test('dates are printed as in JSON, and undefined values are left out', () => {
  const value = { at: new Date('2026-01-02T03:04:05Z'), none: undefined }
  assert.equal(shown([value]), ['at', '2026-01-02T03:04:05.000Z'].join('\n'))
  assert.equal(shown(undefined), '–')
})

test('control characters in untrusted text cannot reach the terminal', () => {
  const text = pretty({ 'na\u001bme': '\u001b[2Jgone\nnext\u0007\u009b31m' })
  assert.match(text, /�\[2Jgone⏎next��31m/)
  assert.doesNotMatch(stripVTControlCharacters(text), /\p{Cc}/u)
})
