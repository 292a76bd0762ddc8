/** A link in one spelling alone: whoever changes a letter of it, or adds one, gets nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePageToken, readPageToken } from '../forms/hosted-form.ts'
import { readUploadKey, uploadKey } from '../imports/upload.ts'
import { createVault } from '../lib/crypto/vault.ts'
import { newId } from './ids.ts'
import { createSealedLinks } from './sealed-link.ts'

const vault = createVault('a secret of a test that is long enough')
const now = new Date('2026-11-28T12:00:00Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000)

/** The last letter carries bits that a decoder ignores; so does a letter too many. */
function otherSpellings(token: string): string[] {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const changed = Array.from(letters, (letter) => token.slice(0, -1) + letter)
  return [
    ...changed,
    `${token}A`,
    `${token}=`,
    `${token} `,
    `${token}.`,
    token.slice(0, -1),
  ].filter((spelling) => spelling !== token)
}

test('a sealed link of any length is read in its own spelling alone', () => {
  const links = createSealedLinks<{ text: string }>(vault, 'test')
  for (let length = 0; length < 12; length++) {
    const token = links.make({ text: 'a'.repeat(length) }, later(60))
    assert.equal(links.read(token, now)?.text.length, length)
    for (const other of otherSpellings(token)) assert.equal(links.read(other, now), undefined)
  }
})

test('the key of an upload and the token of a form page are read in their own spelling alone', () => {
  const named = { businessId: newId('business'), id: newId('import') }
  const key = uploadKey(vault.hmac, named)
  assert.deepEqual(readUploadKey(vault.hmac, key), named)
  for (const other of otherSpellings(key)) {
    assert.equal(readUploadKey(vault.hmac, other), undefined, other)
  }
  const formId = newId('form')
  const page = makePageToken(vault, formId, now)
  assert.equal(readPageToken(vault, formId, page, later(60)), 'valid')
  for (const other of otherSpellings(page)) {
    assert.equal(readPageToken(vault, formId, other, later(60)), 'forged', other)
  }
})
