import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { longestDomain, readableName, readDomainName } from './domain-name.ts'

test('a domain name is normalised to its DNS form, with its registrable domain', async () => {
  const names: [written: string, name: string, registrable: string][] = [
    ['Mail.Shop.Example.', 'mail.shop.example', 'shop.example'],
    [' shop.co.uk ', 'shop.co.uk', 'shop.co.uk'],
    ['a.b.shop.co.uk', 'a.b.shop.co.uk', 'shop.co.uk'],
    ['ana.github.io', 'ana.github.io', 'ana.github.io'],
    ['Müller.example', 'xn--mller-kva.example', 'xn--mller-kva.example'],
    ['shop。example', 'shop.example', 'shop.example'],
  ]
  for (const [written, name, registrable] of names) {
    assert.deepEqual(await readDomainName(written), { name, registrable }, written)
  }
  assert.equal(readableName('xn--mller-kva.example'), 'müller.example')
})

test('text that is not a domain name, or that is a public suffix, is refused', async () => {
  const long = `${'a'.repeat(60)}.`.repeat(4)
  const wrong = [
    'example',
    'co.uk',
    'com',
    'github.io',
    'ana@shop.example',
    'https://shop.example',
    'shop.example/path',
    'shop.example:25',
    '192.0.2.1',
    '[2001:db8::1]',
    '-shop.example',
    'sh op.example',
    'shop..example',
    '_dmarc.shop.example',
    `${'a'.repeat(64)}.example`,
    `${long}example`,
    '',
    '.',
    '%61.example',
  ]
  for (const text of wrong) {
    const refused = await orRefusal(() => readDomainName(text))
    assert.ok(isRefusal(refused) && refused.details.field === 'domain', text)
  }
})

test('a domain name may be only so long that its record names still fit', async () => {
  const label = 'a'.repeat(59)
  const fits = `${label}.${label}.${label}.${'b'.repeat(longestDomain - 184)}.com`
  assert.equal(fits.length, longestDomain)
  await readDomainName(fits)
  assert.ok(isRefusal(await orRefusal(() => readDomainName(`c${fits}`))))
})
