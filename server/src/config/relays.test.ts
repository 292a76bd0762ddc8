import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../config.ts'
import { parseSmtpUrl } from '../lib/email/smtp/url.ts'
import { recognisedProfile } from './relay-profiles.ts'
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
  [
    'an unknown profile',
    { relays: { a: { url, profile: 'sparkpost' } } },
    /must be one of own, ses/,
  ],
  ['a list', [], /must be an object with relays, default, tiers/],
  ['no relay', { relays: {} }, /relays, must have 1 to 20 relays/],
  ['an unknown key', { ...two, relay: {} }, /has no "relay"/],
  ['an unknown field of a relay', { relays: { a: { url, pool: 5 } } }, /relays\.a, has no "pool"/],
  ['a name with capitals', { relays: { Own: { url } } }, /relays\.Own, must be a name/],
  [
    'a URL of the web',
    { relays: { a: { url: 'https://a.example' } } },
    /relays\.a\.url, must be smtp/,
  ],
  [
    'a slash in a password',
    { relays: { a: { url: 'smtp://user:25/hunter2@a.example' } } },
    /relays\.a\.url, goes on after the host/,
  ],
  ['a rate of zero', { relays: { a: { url, rate: 0 } } }, /relays\.a\.rate, must be a number/],
  [
    'warm as a word',
    { relays: { a: { url, warm: 'yes' } } },
    /relays\.a\.warm, must be true or false/,
  ],
  ['itself as failover', { relays: { a: { url, failover: 'a' } } }, /must be another relay/],
  ['an unknown failover', { relays: { a: { url, failover: 'b' } } }, /must be one of a\./],
  [
    'an unknown default',
    { ...two, default: 'third' },
    /default\.transactional, must be one of own, ses/,
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
  assert.throws(() => readConfig({ RELAYS: file }), /is not JSON\.$/)
  writeFileSync(file, JSON.stringify(two))
  const config = readConfig({ RELAYS: file })
  assert.deepEqual([config.smtpUrl, config.senderGate], [url, 'strict'])
  assert.throws(() => readConfig({ RELAYS: file, SMTP_URL: url }), /both set/)
})

test('a profile that is named settles the warm-up of its relay, unless the relay says otherwise', () => {
  const { relays } = readRelays({
    relays: {
      ses: { url, profile: 'ses' },
      cold: { url, profile: 'ses', warm: false },
      asked: { url: `${url}?warmup=yes`, profile: 'ses' },
      own: { url, profile: 'own' },
      unnamed: { url: 'smtps://u:p@email-smtp.eu-west-1.amazonaws.com' },
    },
  })
  const warmsUp = [...relays].map(([name, relay]) => [name, parseSmtpUrl(relay.url).warmUp])
  assert.deepEqual(Object.fromEntries(warmsUp), {
    ses: false,
    cold: true,
    asked: true,
    own: true,
    unnamed: true,
  })
  const config = readConfig({ SMTP_URL: url, RELAY_PROFILE: 'mailjet' })
  assert.equal(parseSmtpUrl(config.smtpUrl ?? '').warmUp, false)
  assert.throws(() => readConfig({ RELAY_PROFILE: 'ses' }), /SMTP_URL, which is not set/)
  assert.throws(() => readConfig({ SMTP_URL: url, RELAY_PROFILE: 'x' }), /must be one of own, ses/)
})

test('providers are recognised by the end of the host name alone', () => {
  const hosts = {
    'email-smtp.eu-west-1.amazonaws.com': 'ses',
    'smtp-broadcasts.postmarkapp.com': 'postmark',
    'smtp.eu.mailgun.org': 'mailgun',
    'smtp-relay.brevo.com': 'brevo',
    'SMTP.resend.com': 'resend',
    'smtp.sendgrid.net': 'sendgrid',
    'in-v3.mailjet.com': 'mailjet',
    'smtp.notmailjet.com': undefined,
    'mailjet.com.example': undefined,
    '[::1]': undefined,
  }
  for (const [host, name] of Object.entries(hosts)) {
    assert.equal(recognisedProfile(`smtp://${host}:587`), name, host)
  }
})
