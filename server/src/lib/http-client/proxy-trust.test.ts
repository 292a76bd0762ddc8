import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../tests/support/properties.ts'
import { callerAddressOf, parseProxyTrust } from './proxy-trust.ts'

function trust(text: string) {
  const read = parseProxyTrust(text)
  assert.ok(read, text)
  return read
}

test('the forwarded header is ignored when no proxy is trusted', () => {
  assert.equal(callerAddressOf('192.0.2.1', '198.51.100.1', false), '192.0.2.1')
})

test('with one trusted hop the caller is the rightmost entry, whatever the caller wrote to its left', () => {
  const yes = trust('yes')
  assert.deepEqual(yes, trust('1'))
  for (const forged of ['', '8.8.8.8, ', '10.0.0.1,,::1, ', 'unknown, for=1.1.1.1, ']) {
    assert.equal(callerAddressOf('10.0.0.1', `${forged}198.51.100.7`, yes), '198.51.100.7')
  }
  fc.assert(
    fc.property(fc.string(), (forged) => {
      assert.equal(callerAddressOf('10.0.0.1', `${forged},198.51.100.7`, yes), '198.51.100.7')
    }),
  )
})

test('with two trusted hops the caller is the second entry from the right, or else the nearest proxy', () => {
  const two = trust('2')
  assert.equal(callerAddressOf('10.0.0.1', '8.8.8.8, 198.51.100.7, 10.0.0.2', two), '198.51.100.7')
  assert.equal(callerAddressOf('10.0.0.1', '10.0.0.2', two), '10.0.0.2')
  assert.equal(callerAddressOf('10.0.0.1', undefined, two), '10.0.0.1')
})

test('trusted networks count as proxies from the right up to the first address outside them', () => {
  const networks = trust('10.0.0.0/8, 2001:db8:1::/48 192.0.2.9')
  const from = (peer: string, header: string) => callerAddressOf(peer, header, networks)
  assert.equal(from('10.0.0.1', '8.8.8.8, 198.51.100.7'), '198.51.100.7')
  assert.equal(from('10.0.0.1', '8.8.8.8, 198.51.100.7, 192.0.2.9'), '198.51.100.7')
  assert.equal(from('2001:db8:1::5', '8.8.8.8, 2001:db8:2::1'), '2001:db8:2::1')
  assert.equal(from('::ffff:10.0.0.1', '8.8.8.8, 198.51.100.7'), '198.51.100.7')
  // The `X-Forwarded-For` of an address that is no trusted proxy is ignored.
  assert.equal(from('198.51.100.8', '8.8.8.8'), '198.51.100.8')
  assert.equal(from('192.0.2.10', '8.8.8.8'), '192.0.2.10')
})

test('an entry’s port, brackets and zone are ignored, and an entry that is not an address ends the search', () => {
  const yes = trust('yes')
  for (const [entry, address] of [
    ['198.51.100.7:50123', '198.51.100.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['unknown', '10.0.0.1'],
    ['', '10.0.0.1'],
    ['0x7f.1', '10.0.0.1'],
    ["1.2.3.4'; drop table", '10.0.0.1'],
  ] as const) {
    assert.equal(callerAddressOf('10.0.0.1', entry, yes), address, entry)
  }
  assert.equal(callerAddressOf(undefined, undefined, false), '0.0.0.0')
})

test('a trust setting that is neither hops nor networks, or that would trust everyone, is invalid', () => {
  for (const text of [
    '0',
    '11',
    '-1',
    '1.5',
    'true',
    'loopback',
    '10.0.0.0/33',
    '10.0.0/8',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/7',
    'fc00::/6',
    '10.0.0.0/8 yes',
    ', 10.0.0.0/8',
  ]) {
    assert.equal(parseProxyTrust(text), undefined, text)
  }
  assert.ok(trust('10.0.0.0/8') && trust('fc00::/7') && trust('10'))
})
