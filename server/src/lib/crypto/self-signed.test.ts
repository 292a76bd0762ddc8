import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { selfSigned } from './self-signed.ts'

const from = new Date('2026-11-20T10:00:00Z')

test('selfSigned makes a certificate for its name, with its own key and validity', () => {
  const { key, cert } = selfSigned('bounce.shop.example', from, new Date('2036-11-20T10:00:00Z'))
  const read = new X509Certificate(cert)
  assert.equal(read.subject, 'CN=bounce.shop.example')
  assert.equal(read.issuer, read.subject)
  assert.equal(read.checkHost('bounce.shop.example'), 'bounce.shop.example')
  assert.equal(read.checkHost('other.example'), undefined)
  assert.ok(read.checkPrivateKey(createPrivateKey(key)))
  assert.ok(read.verify(read.publicKey))
  assert.deepEqual(new Date(read.validFrom), from)
  assert.deepEqual(new Date(read.validTo), new Date('2036-11-20T10:00:00Z'))
})

test('two certificates have different keys and serial numbers', () => {
  const [one, two] = ['a.example', 'a.example'].map((name) => {
    return new X509Certificate(selfSigned(name, from, new Date('2027-01-01Z')).cert)
  })
  assert.notEqual(one?.serialNumber, two?.serialNumber)
  assert.ok(!one?.verify(two?.publicKey ?? one.publicKey))
})

test('names of any length and years beyond 2049 are encoded correctly', () => {
  for (const length of [1, 40, 64, 65, 200, 240]) {
    const name = `${'a'.repeat(60)}.`.repeat(4).slice(0, length).replace(/\.$/, 'b')
    const { cert } = selfSigned(name, from, new Date('2062-01-01T00:00:00Z'))
    const read = new X509Certificate(cert)
    assert.equal(read.checkHost(name), name)
    assert.deepEqual(new Date(read.validTo), new Date('2062-01-01T00:00:00Z'))
  }
})
