import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signatureFault } from '../../../../tests/support/network/bucket-signature.ts'
import { encodePath, encodeQuery, sha256Hex, signedHeaders } from './signature.ts'

/**
 * From "Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk"
 * in Amazon's S3 API reference, sig-v4-header-based-auth.html: the key, the time and the signature
 * of each of its four examples.
 */
const published = {
  keyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  now: new Date('2013-05-24T00:00:00Z'),
  host: 'https://examplebucket.s3.amazonaws.com',
}

const examples = [
  {
    what: 'GET of a range',
    method: 'GET',
    path: '/test.txt',
    query: {},
    headers: { range: 'bytes=0-9' },
    body: '',
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    what: 'PUT of an object whose name has to be encoded',
    method: 'PUT',
    path: '/test$file.text',
    query: {},
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
    body: 'Welcome to Amazon S3.',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    what: 'GET of a bucket’s lifecycle: a parameter without a value',
    method: 'GET',
    path: '/',
    query: { lifecycle: '' },
    headers: {},
    body: '',
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    what: 'GET of a list: parameters in another order',
    method: 'GET',
    path: '/',
    query: { prefix: 'J', 'max-keys': '2' },
    headers: {},
    body: '',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
]

for (const { what, method, path, query, headers, body, signature } of examples) {
  test(`Amazon's published example gets its published signature: ${what}`, () => {
    const url = new URL(published.host)
    url.pathname = encodePath(path)
    url.search = encodeQuery(query)
    const { keyId, secret, region, now } = published
    const toSign = { method, url, headers, bodyHash: sha256Hex(body) }
    const sent = signedHeaders(toSign, { credentials: { keyId, secret }, region, now })
    assert.match(sent['authorization'] ?? '', new RegExp(`Signature=${signature}$`))

    const received = { ...sent, host: url.host }
    const target = `${url.pathname}${url.search}`
    const fault = (changed: object) =>
      signatureFault({ method, target, headers: { ...received, ...changed } }, published)
    assert.equal(fault({}), undefined)
    assert.equal(fault({ 'x-amz-content-sha256': sha256Hex('else') }), 'SignatureDoesNotMatch')
  })
}

test('characters that a browser leaves in a path are percent-encoded for the signature', () => {
  assert.equal(encodePath("/a b/(c)*!'~.txt"), '/a%20b/%28c%29%2A%21%27~.txt')
  assert.equal(encodeQuery({ b: 'x/y', a: '1+1' }), 'a=1%2B1&b=x%2Fy')
})
