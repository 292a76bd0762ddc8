import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { parseSmtpUrl } from '../lib/email/smtp/url.ts'
import { mostRelays, readRelays } from './relays.ts'

const url = 'smtp://user:hunter2@relay.example:587'
const two = { relays: { own: { url, failover: 'ses' }, ses: { url: 'smtps://b.example' } } }

test('relays have their own limits, and the first one is the default of both kinds', () => {
  const { relays, default: first } = readRelays({
    relays: { own: { url, rate: 50, connections: 20, warm: true }, ses: { url } },
    tiers: { free: 'ses', growth: { marketing: 'ses' } },
  })
  assert.deepEqual(first, { transactional: 'own', marketing: 'own' })
  const [own, ses] = [...relays.values()].map((relay) => parseSmtpUrl(relay.url))
  assert.deepEqual([own?.rate, own?.pool, own?.warmUp], [50, 20, false])
  assert.deepEqual([ses?.rate, ses?.warmUp, ses?.auth?.pass], [undefined, true, 'hunter2'])
  assert.deepEqual(readRelays({ ...two, default: { marketing: 'ses' } }).default, {
    transactional: 'own',
    marketing: 'ses',
  })
})

const bad: [what: string, file: unknown, message: RegExp][] = [
  ['a list', [], /takes an object with relays, default, tiers/],
  ['no relay', { relays: {} }, /relays, takes 1 to 20 relays/],
  ['an unknown key', { ...two, relay: {} }, /has no "relay"/],
  ['an unknown field of a relay', { relays: { a: { url, pool: 5 } } }, /relays\.a, has no "pool"/],
  ['a name with capitals', { relays: { Own: { url } } }, /relays\.Own, takes a name/],
  [
    'a URL of the web',
    { relays: { a: { url: 'https://a.example' } } },
    /relays\.a\.url, takes smtp/,
  ],
  ['a rate of zero', { relays: { a: { url, rate: 0 } } }, /relays\.a\.rate, takes a number/],
  [
    'warm as a word',
    { relays: { a: { url, warm: 'yes' } } },
    /relays\.a\.warm, takes true or false/,
  ],
  ['itself as failover', { relays: { a: { url, failover: 'a' } } }, /takes another relay/],
  ['an unknown failover', { relays: { a: { url, failover: 'b' } } }, /takes one of a\./],
  [
    'an unknown default',
    { ...two, default: 'third' },
    /default\.transactional, takes one of own, ses/,
  ],
  ['an unknown tier', { ...two, tiers: { gold: 'own' } }, /tiers, has no "gold"/],
]
for (const [what, file, message] of bad) {
  test(`a file of relays with ${what} stops the start, and no password is repeated`, () => {
    assert.throws(
      () => readRelays(file),
      (error: Error) => message.test(error.message) && !error.message.includes('hunter2'),
    )
  })
}

test('twenty relays are accepted and twenty-one are not', () => {
  const relaysOf = (count: number) => ({
    relays: Object.fromEntries(Array.from({ length: count }, (_, n) => [`r${n}`, { url }])),
  })
  assert.equal(readRelays(relaysOf(mostRelays)).relays.size, mostRelays)
  assert.throws(() => readRelays(relaysOf(mostRelays + 1)), /1 to 20 relays/)
})

test('RELAYS names a JSON file that is read at the start, and excludes SMTP_URL', (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-relays-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'relays.json')
  assert.throws(() => readConfig({ RELAYS: file }), /cannot be read \(ENOENT\)/)
  writeFileSync(file, '{"relays": hunter2')
  assert.throws(() => readConfig({ RELAYS: file }), /which is not JSON\.$/)
  writeFileSync(file, JSON.stringify(two))
  const config = readConfig({ RELAYS: file })
  assert.deepEqual([config.smtpUrl, config.senderGate], [url, 'strict'])
  assert.throws(() => readConfig({ RELAYS: file, SMTP_URL: url }), /both set/)
})
