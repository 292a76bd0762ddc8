import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressFlaws } from './markup-flaws.ts'

test('an address that cannot be opened from a mailbox is a flaw', async () => {
  const wrong = [
    '/shop',
    'shop',
    '../shop',
    '?page=2',
    '//example.com/x',
    'www.example.com',
    'example.com/x',
    'www.example.com:8080/x',
    'localhost:3000',
    '&sol;shop',
  ]
  for (const url of wrong) {
    assert.match(
      (await addressFlaws(`<a href="${url}">a</a>`))[0]?.sentence ?? '',
      /^One link has no complete/,
      url,
    )
    assert.match(
      (await addressFlaws(`<img src="${url}">`))[0]?.sentence ?? '',
      /^One image has no complete/,
      url,
    )
  }
  const right = [
    'https://example.com/x',
    'HTTP://example.com',
    'mailto:ana@example.com',
    'tel:+33612345678',
    'sms:+33612345678?body=Hi',
    'geo:48.2,16.4',
    'com.example.app://open',
    'cid:logo',
    'data:image/png;base64,AA',
    '#top',
    '',
    'https&colon;//example.com',
  ]
  for (const url of right) {
    assert.deepEqual(await addressFlaws(`<a href="${url}">a</a><img src="${url}">`), [], url)
  }
})

test('flaws of addresses are counted, and the first are shown', async () => {
  const page = `<p><a href="/shop">a</a> <a href="//example.com/x">b</a> <a href="www.example.com">c</a> <a href="/shop">a</a> <a href="d">d</a> <img src="/logo.png" alt="l"></p>`
  const flaws = await addressFlaws(page)
  assert.deepEqual(
    flaws.map(({ count, urls }) => [count, urls]),
    [
      [4, ['/shop', '//example.com/x', 'www.example.com']],
      [1, ['/logo.png']],
    ],
  )
  assert.deepEqual(
    flaws.map(({ sentence }) => sentence),
    [
      '4 links have no complete address and cannot be opened from a mailbox: “/shop”, “//example.com/x”, “www.example.com” and 1 more. Write it with https:// and the host name.',
      'One image has no complete address and cannot be opened from a mailbox: “/logo.png”. Write it with https:// and the host name.',
    ],
  )
})
