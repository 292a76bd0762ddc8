import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { newId } from '../core/ids.ts'
import { makeToken, makeViewToken, readViewToken } from './tokens.ts'

const ids = { businessId: newId('business'), messageId: newId('message') }
const campaign = {
  contactId: newId('contact'),
  campaignId: newId('campaign'),
  templateVersionId: newId('templateVersion'),
}

test('the link to the view of a campaign has what the page needs, and that of another mail its message', () => {
  for (const shownBlocks of [null, 0, 5, -1, 32_767]) {
    const subject = { ...ids, campaign: { ...campaign, shownBlocks } }
    assert.deepEqual(readViewToken(testVault, makeViewToken(testVault, subject)), subject)
  }
  const alone = { ...ids, campaign: undefined }
  assert.deepEqual(readViewToken(testVault, makeViewToken(testVault, alone)), alone)
  const older = makeToken(testVault, 'view', { ...ids, rest: Buffer.alloc(0) })
  assert.deepEqual(readViewToken(testVault, older), alone)
})

test('a link to the view of another length, or one that was changed, is none', () => {
  const token = makeViewToken(testVault, { ...ids, campaign: { ...campaign, shownBlocks: 1 } })
  assert.equal(readViewToken(testVault, `${token.slice(0, -4)}AAAA`), undefined)
  const short = makeToken(testVault, 'view', { ...ids, rest: Buffer.alloc(47) })
  assert.equal(readViewToken(testVault, short), undefined)
  assert.throws(() => makeToken(testVault, 'view', { ...ids, rest: Buffer.alloc(51) }), RangeError)
})
