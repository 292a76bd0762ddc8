/** The words of the services' exports, in their languages, that say how somebody stands. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '../core/errors.ts'
import { rowReader } from './person-of.ts'
import type { Plan } from './plan.ts'

const agreement = { source: 'sign-up page', text: 'Send me the newsletter.' }
const plan = {
  targets: ['email', 'consent.email', 'attributes.member:boolean'],
  tags: [],
  consent: { email: agreement },
  fileName: 'people.csv',
  known: null,
  blanksErase: false,
} as unknown as Plan
const read = rowReader(plan)

function outcome(status: string, member = '') {
  const row = read(['ana@example.com', status, member])
  assert.ok(!isRefusal(row))
  return row
}

const expected: Readonly<Record<string, readonly string[]>> = {
  subscribed: ['Subscribed', 'Abonniert', 'Abonné', 'ja', 'Oui', 'sí', '1', 'Bestätigt', 'aktiv'],
  unsubscribed: [
    'Unsubscribed',
    'Cleaned',
    'Abgemeldet',
    'Bereinigt',
    'Désinscrit',
    'Nettoyé',
    'nein',
    'non',
    '0',
    'blocklisted',
    'inaktiv',
    'Hard bounced',
    'abused',
    'Dado de baja',
  ],
  none: ['', ' ', 'Non-Subscribed', 'Nicht abonniert', 'Non abonné', 'pending', 'never subscribed'],
}

test('the words of known services say who agreed, who left and who was never asked', () => {
  for (const [status, words] of Object.entries(expected)) {
    for (const word of words) {
      const { person, leftOut } = outcome(word)
      assert.equal(person.consent?.email?.status ?? 'none', status, word)
      assert.equal(leftOut, undefined, word)
    }
  }
})

test('a word that says nothing known is left out and listed, and makes nobody a subscriber', () => {
  for (const word of ['perhaps', 'да', '???', '-']) {
    const { person, leftOut } = outcome(word)
    assert.equal(person.consent, undefined, word)
    assert.equal(leftOut?.[0]?.field, 'consent.email', word)
  }
})

test('yes and no are read in each language', () => {
  for (const word of ['yes', 'Ja', 'OUI', 'sí', 'sim', 'true']) {
    assert.equal(outcome('', word).person.attributes?.['member'], true, word)
  }
  for (const word of ['no', 'Nein', 'non', 'não', 'false']) {
    assert.equal(outcome('', word).person.attributes?.['member'], false, word)
  }
})

const phonePlan = (more: object) =>
  ({
    ...plan,
    columns: ['Mail', 'Telefon', 'Land', 'Kunde'],
    targets: ['email', 'phone', 'attributes.land', 'attributes.member:boolean'],
    ...more,
  }) as unknown as Plan

function personOf(more: object, ...cells: string[]) {
  const row = rowReader(phonePlan(more))(['ana@example.com', ...cells])
  assert.ok(!isRefusal(row))
  return row
}

test('a national number is read in the row’s own country, else in the file’s, else left out', () => {
  const phone = (more: object, ...cells: string[]) => personOf(more, ...cells).person.phone
  assert.equal(phone({ country: 'DE' }, '030 901820', ''), '+4930901820')
  assert.equal(phone({ country: 'DE' }, '0049 30 901820', ''), '+4930901820')
  assert.equal(phone({ country: 'DE' }, '+33 6 12 34 56 78', ''), '+33612345678')
  for (const land of ['FR', 'fr', 'Frankreich', 'France', 'Francia']) {
    assert.equal(phone({ country: 'DE' }, '06 12 34 56 78', land), '+33612345678', land)
    assert.equal(phone({}, '06 12 34 56 78', land), '+33612345678', land)
  }
  assert.equal(phone({}, '030 901820', 'Nirgendwo'), undefined)
  const { person, leftOut } = personOf({ country: 'DE' }, '12', '')
  assert.deepEqual([person.phone, leftOut?.[0]?.field], [undefined, 'phone'])
})

test('texts of a column stand for others, and defaults fill what a row does not say', () => {
  const more = {
    values: { Kunde: { Stammkunde: 'ja', 'kein Kunde': 'nein' }, Land: { D: 'Deutschland' } },
    defaults: { 'attributes.fair:number': '2026', 'attributes.land': 'Schweiz', language: 'de' },
  }
  const filled = personOf(more, '', 'D', ' Stammkunde ').person
  assert.deepEqual(filled.attributes, { land: 'Deutschland', member: true, fair: 2026 })
  assert.equal(filled.language, 'de')
  const blank = personOf(more, '', '', 'kein Kunde').person
  assert.deepEqual(blank.attributes, { land: 'Schweiz', member: false, fair: 2026 })
})

test('a default for topics is of those who agreed, and agrees for nobody', () => {
  const defaults = { 'consent.email.topics': 'news' }
  assert.deepEqual(personOf({ defaults }, '', '').person.consent?.email, {
    status: 'subscribed',
    ...agreement,
    topics: ['news'],
  })
  assert.equal(personOf({ defaults, consent: {} }, '', '').person.consent, undefined)
})
