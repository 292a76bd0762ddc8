import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiverUrl } from './receiver-url.ts'

test('a receiver address without a scheme means http', () => {
  assert.equal(receiverUrl('localhost:3000/hooks'), 'http://localhost:3000/hooks')
  assert.equal(receiverUrl('127.0.0.1:3000'), 'http://127.0.0.1:3000/')
  assert.equal(receiverUrl('https://a.example/x?y=1'), 'https://a.example/x?y=1')
})

test('an address that cannot receive a webhook is a usage error', () => {
  for (const text of ['', 'ftp://a/b', 'http://', 'a b', 'http://user:pass@localhost/']) {
    assert.throws(() => receiverUrl(text), { code: 'usage' }, text)
  }
})
