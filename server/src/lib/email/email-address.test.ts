import assert from 'node:assert/strict'
import test from 'node:test'
import { fc } from '../../../../tests/support/properties.ts'
import { isRefusal } from '../../core/errors.ts'
import { normaliseEmail } from './email-address.ts'

test('invisible characters that a copied address brings along are dropped', () => {
  for (const mark of '\u200b\u200e\u200f\u202a\u202c\u202d\u2060\u2066\u2069\ufeff\u00ad') {
    for (const text of [
      `${mark}ana@example.com`,
      `ana@example.com${mark}`,
      `a${mark}na@example.com`,
    ]) {
      assert.equal(normaliseEmail(text), 'ana@example.com', JSON.stringify(text))
    }
  }
  assert.ok(isRefusal(normaliseEmail('\u200bana @example.com')))
})

test('upper case and surrounding spaces are normalised in an email address', () => {
  assert.equal(normaliseEmail('  Ana.Moreau+News@Example.COM\n'), 'ana.moreau+news@example.com')
})

test('an international domain is stored in its ASCII form, however it was typed', () => {
  assert.equal(normaliseEmail('a@Bücher.example'), 'a@xn--bcher-kva.example')
  assert.equal(normaliseEmail('a@XN--bcher-KVA.example'), 'a@xn--bcher-kva.example')
})

test('non-ASCII letters before the @ are normalised, whether composed or not', () => {
  assert.equal(normaliseEmail('josé@example.com'), normaliseEmail('jose\u0301@example.com'))
})

test('an address with a single-label host is accepted', () => {
  assert.equal(normaliseEmail('root@localhost'), 'root@localhost')
})

test('an address that is kept as typed is the same as by the full rules', () => {
  const atom = (characters: string, max: number) =>
    fc.string({ unit: fc.constantFrom(...characters.split('')), minLength: 1, maxLength: max })
  const addresses = fc.tuple(
    fc.array(atom('abyz019_+-', 40), { minLength: 1, maxLength: 3 }),
    fc.array(atom('axn019-', 66), { minLength: 1, maxLength: 4 }),
    atom('abyz1-', 5),
  )
  let kept = 0
  fc.assert(
    fc.property(addresses, ([name, labels, top]) => {
      const address = `${name.join('.')}@${[...labels, top].join('.')}`
      const answer = normaliseEmail(address)
      // A capital letter makes it take the path of the full rules.
      const byRules = normaliseEmail(address.toUpperCase())
      if (isRefusal(answer)) assert.ok(isRefusal(byRules), address)
      else assert.deepEqual([answer, byRules], [address, address])
      if (!isRefusal(answer)) kept++
    }),
    { numRuns: 2000 },
  )
  assert.ok(kept > 100, `${kept} were addresses`)
})

test('an invalid email address is refused with a message that helps to correct it', () => {
  const wrong = [
    '',
    '@',
    'a',
    'a@',
    '@b.example',
    'a b@example.com',
    'a@b@',
    'a@-b.example',
    'a..b@example.com',
    '.a@example.com',
    'a@example..com',
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    'a@2130706433',
    'a@example.com:25',
    'a@example.com/x',
    'a@exa%6dple.com',
    '"a b"@example.com',
    'a\r\nBcc: x@example.com',
    'a@example.com\r\nBcc: x@y.example',
    'a,b@example.com',
    '<a@example.com>',
    'a\u0000@example.com',
    `${'a'.repeat(65)}@example.com`,
    `${'é'.repeat(33)}@example.com`,
    `a@${'b'.repeat(64)}.example`,
    `a@${'b.'.repeat(126)}example`,
  ]
  for (const text of wrong) {
    const answer = normaliseEmail(text)
    assert.ok(isRefusal(answer), JSON.stringify(text))
    assert.match(answer.message, /ana@example\.com/)
    assert.equal(answer.details.field, 'email')
  }
})

test('normalising is idempotent, and its result is safe in a mail header', () => {
  const character = fc.oneof(
    fc.constantFrom(
      '@',
      '.',
      '+',
      ' ',
      '\r',
      '\n',
      ',',
      '<',
      '>',
      '"',
      'ü',
      'ß',
      'İ',
      '。',
      'A',
      'z',
      '-',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  )
  const text = fc.tuple(
    fc.array(character, { maxLength: 9 }),
    fc.array(character, { maxLength: 9 }),
  )
  let accepted = 0
  fc.assert(
    fc.property(text, ([before, after]) => {
      const once = normaliseEmail(`x${before.join('')}@${after.join('')}.example`)
      if (isRefusal(once)) return
      accepted++
      assert.equal(normaliseEmail(once), once)
      assert.match(once, /^[^\s,<>"\\\p{Cc}]+@[a-z0-9.-]+$/u)
      assert.ok(Buffer.byteLength(once) <= 254)
    }),
    { numRuns: 2000 },
  )
  assert.ok(accepted > 0, 'the property must have seen addresses that pass')
})
