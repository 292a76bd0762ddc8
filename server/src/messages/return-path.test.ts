import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../core/ids.ts'
import { createVault } from '../lib/crypto/vault.ts'
import { readReturnPath, returnPath } from './return-path.ts'

const vault = createVault('a secret of the tests')
const messageId = newId('message')

test('the return path identifies the message, at any domain and in any letter case', () => {
  for (const domain of ['send.example.com', 'bounce.example.net']) {
    const address = returnPath(vault, messageId, domain)
    assert.match(address, /^b\+msg_[0-9a-z]{26}\.[0-9a-f]{20}@/)
    assert.ok(address.indexOf('@') <= 64, 'a local part has 64 octets at most')
    assert.equal(readReturnPath(vault, address), messageId)
    assert.equal(readReturnPath(vault, address.toUpperCase()), messageId)
  }
})

test('a return path with one character changed identifies no message', () => {
  const address = returnPath(vault, messageId, 'send.example.com')
  const local = address.slice(0, address.indexOf('@'))
  for (let i = 0; i < local.length; i++) {
    const other = local[i] === '0' ? '1' : '0'
    const forged = `${local.slice(0, i)}${other}${local.slice(i + 1)}@send.example.com`
    assert.equal(readReturnPath(vault, forged), undefined, forged)
  }
})

test('a return path of another installation, or one that was never issued, identifies no message', () => {
  const elsewhere = createVault('another secret of the tests')
  const name = returnPath(vault, messageId, 'x').slice(2, -23)
  for (const address of [
    returnPath(elsewhere, messageId, 'send.example.com'),
    'postmaster@send.example.com',
    `b+${name}@send.example.com`,
    `b+${name}.@send.example.com`,
    'b+.@x',
    '',
  ]) {
    assert.equal(readReturnPath(vault, address), undefined, address)
  }
})
