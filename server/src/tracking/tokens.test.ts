import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { topicLimits } from '../contacts/topics/topic.ts'
import { newId } from '../core/ids.ts'
import { createVault } from '../lib/crypto/vault.ts'
import {
  makePreferencesToken,
  makeToken,
  makeViewToken,
  readPreferencesToken,
  readToken,
  readViewToken,
} from './tokens.ts'

const named = { businessId: newId('business'), messageId: newId('message') }
const rest = Buffer.alloc(17, 7)

test('a token contains its data in URL-safe characters', () => {
  const token = makeToken(testVault, 'click', { ...named, rest })
  assert.match(token, /^[A-Za-z0-9_-]{82}$/)
  assert.deepEqual(readToken(testVault, 'click', token), { ...named, rest })
})

test('a token of one purpose or of another installation is invalid for any other', () => {
  const elsewhere = createVault('another secret of the tests')
  const open = makeToken(testVault, 'open', { ...named, rest: Buffer.alloc(0) })
  const way = makeToken(testVault, 'preferences', { ...named, rest: Buffer.alloc(16) })
  const click = makeToken(elsewhere, 'click', { ...named, rest })
  for (const token of [open, way, click]) {
    assert.equal(readToken(testVault, 'click', token), undefined)
  }
  assert.equal(readToken(testVault, 'open', way), undefined)
})

test('a token with a character changed, added or removed is invalid', () => {
  const token = makeToken(testVault, 'click', { ...named, rest })
  for (let i = 0; i < token.length; i++) {
    const other = token[i] === 'A' ? 'B' : 'A'
    const changed = token.slice(0, i) + other + token.slice(i + 1)
    assert.equal(readToken(testVault, 'click', changed), undefined)
  }
  for (const wrong of [`${token}A`, `${token}=`, token.slice(1), token.slice(0, -1), '', ' ']) {
    assert.equal(readToken(testVault, 'click', wrong), undefined)
  }
})

test('a preferences token has contact, channel and topic, and older ones have the contact alone', () => {
  const longest = 'n'.repeat(topicLimits.keyLength)
  const contactId = newId('contact')
  for (const [channel, topic] of [
    ['email', null],
    ['email', 'news'],
    ['sms', longest],
    ['email', undefined],
  ] as const) {
    const subject = { ...named, contactId, channel, topic }
    const token = makePreferencesToken(testVault, subject)
    assert.deepEqual(readPreferencesToken(testVault, token), subject)
    assert.equal(readPreferencesToken(testVault, `${token.slice(0, -4)}AAAA`), undefined)
  }
  const subject = { ...named, contactId, channel: 'email' as const }
  assert.equal(makePreferencesToken(testVault, { ...subject, topic: undefined }).length, 80)
  const tooLong = () => makePreferencesToken(testVault, { ...subject, topic: `${longest}n` })
  assert.throws(tooLong, RangeError)
  // Nobody can cut the topic off, so that a link to leave one topic leaves all mailings.
  const bytes = Buffer.from(
    makePreferencesToken(testVault, { ...subject, topic: 'ab' }),
    'base64url',
  )
  const cut = Buffer.concat([bytes.subarray(0, -14), bytes.subarray(-12)]).toString('base64url')
  assert.equal(readPreferencesToken(testVault, cut), undefined)
})

const campaign = {
  contactId: newId('contact'),
  campaignId: newId('campaign'),
  templateVersionId: newId('templateVersion'),
}

test('the link to the view of a campaign has what the page needs, and that of another mail its message', () => {
  for (const shownBlocks of [null, 0, 5, -1, 32_767]) {
    const subject = { ...named, campaign: { ...campaign, shownBlocks } }
    assert.deepEqual(readViewToken(testVault, makeViewToken(testVault, subject)), subject)
  }
  const alone = { ...named, campaign: undefined }
  assert.deepEqual(readViewToken(testVault, makeViewToken(testVault, alone)), alone)
  const older = makeToken(testVault, 'view', { ...named, rest: Buffer.alloc(0) })
  assert.deepEqual(readViewToken(testVault, older), alone)
})

test('a link to the view of another length, or one that was changed, is none', () => {
  const token = makeViewToken(testVault, { ...named, campaign: { ...campaign, shownBlocks: 1 } })
  assert.equal(readViewToken(testVault, `${token.slice(0, -4)}AAAA`), undefined)
  const short = makeToken(testVault, 'view', { ...named, rest: Buffer.alloc(47) })
  assert.equal(readViewToken(testVault, short), undefined)
  assert.throws(
    () => makeToken(testVault, 'view', { ...named, rest: Buffer.alloc(51) }),
    RangeError,
  )
})
