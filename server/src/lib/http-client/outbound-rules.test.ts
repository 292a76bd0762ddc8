import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPortUsed, mayReach, parseAllowRule } from './outbound-guard.ts'

const forbidden = {
  'this host': ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.0.9', '::1', '::127.0.0.1', '::7f00:1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd00:ec2::254'],
  'link-local, with the clouds’ metadata': ['169.254.169.254', 'fe80::1', 'fe80::a9fe:a9fe'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.254'],
  multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1', 'ff0e::1'],
  broadcast: ['255.255.255.255'],
  reserved: ['240.0.0.1', '192.0.0.8', '192.88.99.1', '198.18.0.1', '5f00::1', '4000::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'IPv4 inside IPv6': ['::ffff:127.0.0.1', '::ffff:a00:1', '::ffff:0:127.0.0.1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1', '64:ff9b::101:101'],
  '6to4 and Teredo': ['2002:7f00:1::', '2002:a9fe:a9fe::', '2001:0:7f00:1::'],
  'site-local and discard': ['fec0::1', '100::1'],
  'no address at all': ['', 'localhost', '127.0.0.1/8', 'example.com'],
}

for (const [name, addresses] of Object.entries(forbidden)) {
  test(`an outbound request does not reach ${name}`, () => {
    for (const address of addresses) assert.equal(mayReach(address, 443, []), false, address)
  })
}

test('public addresses are reachable on ports 80 and 443 only', () => {
  for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:1.1.1.1']) {
    assert.ok(mayReach(address, 443, []), address)
    assert.ok(mayReach(address, 80, []), address)
    assert.ok(!mayReach(address, 22, []), address)
    assert.ok(!mayReach(address, 8080, []), address)
  }
})

function rule(text: string) {
  const parsed = parseAllowRule(text)
  assert.ok(parsed, text)
  return parsed
}

test('an allow rule opens its address range on its port and nothing else', () => {
  const rules = [rule('127.0.0.0/8:9000')]
  assert.ok(mayReach('127.0.0.1', 9000, rules))
  assert.ok(mayReach('::ffff:127.0.0.1', 9000, rules), 'the same address in other clothes')
  assert.ok(!mayReach('127.0.0.1', 443, rules))
  assert.ok(!mayReach('10.0.0.1', 9000, rules))
  assert.ok(!mayReach('1.1.1.1', 9000, rules))
  assert.ok(isPortUsed(9000, rules) && !isPortUsed(9001, rules))
})

test('a star in an allow rule opens every port of the range, also for IPv6', () => {
  const rules = [rule('fd00::/8:*'), rule('[::1]/128:8443')]
  assert.ok(mayReach('fd12::1', 5432, rules))
  assert.ok(mayReach('::1', 8443, rules))
  assert.ok(!mayReach('::1', 8444, rules))
  assert.ok(!mayReach('127.0.0.1', 5432, rules))
})

test('text that is not an allow rule is rejected', () => {
  for (const text of [
    '127.0.0.1:80',
    '10.0.0.0/8',
    '10.0.0.0/8:',
    '10.0.0.0/33:80',
    '10.0.0.0/8:0',
  ]) {
    assert.equal(parseAllowRule(text), undefined, text)
  }
  assert.equal(parseAllowRule('10.0.0.0/8:70000'), undefined)
  assert.equal(parseAllowRule('10.0.0.0/8:8e1'), undefined)
})
