/** The words of the services' exports, in their languages, that say how somebody stands. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '../../core/errors.ts'
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
