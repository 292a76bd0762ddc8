import assert from 'node:assert/strict'
import { test } from 'node:test'
import { urlTagger } from './utm.ts'

const utm = { source: 'news', medium: 'email', campaign: 'spring & co', content: 'ü' }
const added = 'utm_source=news&utm_medium=email&utm_campaign=spring%20%26%20co&utm_content=%C3%BC'
const tag = urlTagger(utm, ['crier.test', 't.shop.test'])

test('a link gets the values at the end of its query, and the rest stays byte for byte', () => {
  const cases = {
    'https://shop.test': `https://shop.test?${added}`,
    'https://shop.test/a': `https://shop.test/a?${added}`,
    'https://shop.test/a?': `https://shop.test/a?${added}`,
    'https://shop.test/a?b=1&b=2': `https://shop.test/a?b=1&b=2&${added}`,
    'https://shop.test/a?b=%2F+c&': `https://shop.test/a?b=%2F+c&${added}`,
    'https://shop.test/a?q=a?b': `https://shop.test/a?q=a?b&${added}`,
    'http://shop.test/a#part': `http://shop.test/a?${added}#part`,
    'https://shop.test/#/page?x=1': `https://shop.test/?${added}#/page?x=1`,
    'https://shop.test:8443/a?flag#': `https://shop.test:8443/a?flag&${added}#`,
    'https://crier.test.evil.test/': `https://crier.test.evil.test/?${added}`,
  }
  for (const [url, expected] of Object.entries(cases)) assert.equal(tag(url), expected)
})

test('links with their own values, signed links and links to this service stay as they are', () => {
  for (const url of [
    'https://shop.test/?utm_source=own',
    'https://shop.test/?a=1&UTM_Campaign=own#x',
    'https://bucket.test/a?X-Amz-Expires=60&X-Amz-Signature=abc',
    'https://files.test/a?sv=2024&sig=abc%3D',
    'https://cdn.test/a?Expires=1&Signature=abc&Key-Pair-Id=K',
    'https://crier.test/u/abc',
    'https://t.shop.test/f/x?y=1',
    'mailto:ana@shop.test?subject=x',
    'tel:+331',
    '/relative',
    '#top',
    'javascript:alert(1)',
    `https://shop.test/${'y'.repeat(1_950)}`,
  ]) {
    assert.equal(tag(url), url)
  }
})
