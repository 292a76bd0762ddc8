import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseMemory, readDatabaseMemory } from './config/database-memory.ts'
import { settings } from './config/settings.ts'
import { ConfigError, readConfig } from './config.ts'

test('without settings the server listens on loopback, with open sign-up and no SMTP relay', () => {
  const config = readConfig({})
  assert.equal(config.baseUrl, 'http://localhost:8080')
  assert.deepEqual([config.appUrl, config.gatewayUrl], [config.baseUrl, config.baseUrl])
  assert.deepEqual([config.host, config.port, config.signup], ['127.0.0.1', 8080, 'open'])
  assert.equal(config.smtpUrl, undefined)
})

test('a public BASE_URL makes sign-up by invitation, unless SIGNUP is open', () => {
  const env = { BASE_URL: 'https://api.example' }
  assert.equal(readConfig(env).signup, 'invite')
  assert.equal(readConfig({ ...env, SIGNUP: 'open' }).signup, 'open')
})

test('BASE_URL loses its trailing slash, since the issuer must match exactly', () => {
  assert.equal(readConfig({ BASE_URL: 'https://api.example/' }).baseUrl, 'https://api.example')
})

test('an unknown CRIER_ variable stops the start and suggests the setting that was meant', () => {
  const meant = { CRIER_PORT: 'PORT', CRIER_SMTPURL: 'SMTP_URL', CRIER_SECRETS: 'CRIER_SECRET' }
  for (const [name, setting] of Object.entries(meant)) {
    const message = new RegExp(`^${name} is not a setting of Crier. Did you mean ${setting}\\?`)
    assert.throws(() => readConfig({ [name]: '1' }), { message })
  }
  assert.throws(
    () => readConfig({ CRIER_WEATHER: '1' }),
    /not a setting of Crier\. docs\/operate\/settings\.md/,
  )
})

const bad: [string, string, RegExp][] = [
  ['PORT', '65536', /PORT must be a whole number from 0 to 65535/],
  ['PORT', '80a', /PORT must be/],
  ['DRAIN_SECONDS', '301', /DRAIN_SECONDS must be a whole number from 0 to 300/],
  ['BASE_URL', 'https://api.example/path', /without a path/],
  ['APP_URL', 'api.example', /APP_URL must be http/],
  ['SERVICE_SLUG', 'My Service', /SERVICE_SLUG must be 1 to 16/],
  ['SIGNUP', 'maybe', /one of open, invite/],
  ['DEFAULT_TIER', 'gold', /one of free, growth, scale/],
  ['DEFAULT_DEPLOY_LIMIT', 'many', /DEFAULT_DEPLOY_LIMIT must be a whole number/],
  ['ROLE', 'boss', /one of api, worker, all/],
  ['CRIER_SECRET', 'short', /at least 32 characters/],
  ['OUTBOUND_ALLOW', '10.0.0.0', /CIDR:port/],
  ['DATABASE_POOL', '1', /from 2 to 500/],
  ['MAIL_FROM', 'hello', /MAIL_FROM must be an address such as hello@example.com/],
  ['MAIL_FROM', 'Crier <hello@@>', /MAIL_FROM must be an address/],
  ['MAIL_FROM', 'Crier hello@example.com', /MAIL_FROM must be an address/],
  ['BOUNCE_PORT', 'smtp', /BOUNCE_PORT must be a whole number/],
  ['BOUNCE_DOMAIN', 'http://x', /BOUNCE_DOMAIN must be a domain/],
  ['REQUESTS_PER_CONNECTION', '599', /from 600 to 30000/],
  ['REQUESTS_PER_CONNECTION', '30001', /from 600 to 30000/],
  ['REFRESHES_PER_CONNECTION', '1', /from 2 to 1000000/],
  ['STREAMS_PER_CONNECTION', '0', /from 1 to 200/],
  ['TRUST_PROXY', 'true', /TRUST_PROXY must be the number of proxies in front .* not "true"/],
  ['TRUST_PROXY', '0', /TRUST_PROXY must be/],
  ['TRUST_PROXY', '11', /1 to 10/],
  ['TRUST_PROXY', '10.0.0.0/8 proxy', /their networks/],
  ['TRUST_PROXY', '0.0.0.0/0', /at the widest/],
]

for (const [name, value, message] of bad) {
  test(`the setting ${name}=${value} stops the start, with a message that says what is valid`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) => error instanceof ConfigError && message.test(error.message),
    )
  })
}

test('a setting that may contain a password is not repeated in the error message', () => {
  assert.throws(
    () => readConfig({ SMTP_URL: 'http://me:hunter2@relay' }),
    (error) => error instanceof ConfigError && !error.message.includes('hunter2'),
  )
})

for (const [what, url, message] of [
  ['a slash in the password', '//me:25/hunter2@relay.example:587', /goes on after the host.*%2F/],
  ['a bare percent sign', '//me:hunter2%@relay.example', /has a % that begins no escaped/],
  [
    'a question mark in the password',
    '//me:25?hunter2@relay.example',
    /does not accept\. It accepts/,
  ],
  [
    'a parameter with a typo',
    '//me:hunter2@relay.example?pol=5',
    /does not accept\. It accepts .*pool,/,
  ],
  ['too large a pool', '//me:hunter2@relay.example?pool=501', /wrong pool, which must be a whole/],
  ['a rate that is no number', '//me:hunter2@relay.example?rate=fast', /wrong rate, which must be/],
] as const) {
  test(`${what} in SMTP_URL or SMS_URL stops the start, and the password is not repeated`, () => {
    for (const settings of [{ SMTP_URL: `smtp:${url}` }, { SMS_URL: `smpp:${url}` }]) {
      assert.throws(
        () => readConfig(settings),
        (error) =>
          error instanceof ConfigError &&
          message.test(error.message) &&
          !error.message.includes('hunter2'),
      )
    }
  })
}

test('every parameter of SMTP_URL may have its largest value', () => {
  const url =
    'smtp://relay.example/?pool=200&rate=100000&timeout=3600&warmup=no&tls=offered&receipts=all'
  assert.equal(readConfig({ SMTP_URL: url }).smtpUrl, url)
  for (const over of ['pool=201', 'rate=100001', 'timeout=3601', 'tls=off', 'warmup=maybe']) {
    assert.throws(() => readConfig({ SMTP_URL: `smtp://relay.example?${over}` }), /wrong/, over)
  }
})

test('Twilio without a token is refused, and an SMSC may know no password', () => {
  assert.throws(() => readConfig({ SMS_URL: 'twilio://AC1@api.twilio.com' }), /must be twilio:/)
  assert.equal(readConfig({ SMS_URL: 'smpp://id@smsc.example' }).sms?.password, '')
})

test('the way past a pooler goes with the database, and its password is not repeated', () => {
  const both = {
    DATABASE_URL: 'postgres://crier:x@pooler:6432/crier',
    DATABASE_DIRECT_URL: 'postgres://crier:x@db:5432/crier',
  }
  assert.equal(readConfig(both).databaseDirectUrl, both.DATABASE_DIRECT_URL)
  const { DATABASE_URL, DATABASE_DIRECT_URL } = both
  assert.equal(readConfig({ DATABASE_URL }).databaseDirectUrl, undefined)
  assert.throws(() => readConfig({ DATABASE_DIRECT_URL }), /goes with DATABASE_URL/)
  for (const wrong of [
    'db:5432',
    'mysql://crier:hunter2@db/crier',
    'postgres://crier:hunter2@:5432x/c',
  ]) {
    const read = () => readConfig({ ...both, DATABASE_DIRECT_URL: wrong })
    assert.throws(read, ({ message }: Error) => {
      assert.match(message, /^DATABASE_DIRECT_URL must be postgres:/)
      return !message.includes('hunter2')
    })
  }
})

test('DATABASE_MEMORY is in megabytes, by itself a quarter of the machine or of its container', () => {
  const gigabyte = 2 ** 30
  const machine = (total: number, container = Number.POSITIVE_INFINITY) =>
    readDatabaseMemory(undefined, { total, container }) / gigabyte
  assert.deepEqual([machine(8 * gigabyte), machine(24 * gigabyte, 2 * gigabyte)], [2, 0.5])
  assert.equal(machine(1000), databaseMemory.least / 1024)
  assert.equal(readConfig({ DATABASE_MEMORY: '2048' }).databaseMemory, 2 * gigabyte)
  const { least, most } = databaseMemory
  for (const value of [least, most]) {
    assert.equal(readConfig({ DATABASE_MEMORY: String(value) }).databaseMemory, value * 2 ** 20)
  }
  for (const value of [least - 1, most + 1, '1GB']) {
    assert.throws(() => readConfig({ DATABASE_MEMORY: String(value) }), /DATABASE_MEMORY/)
  }
})

test('TRUST_PROXY is a number of hops or a list of networks, and yes means one hop', () => {
  const trust = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }).trustProxy
  assert.equal(readConfig({}).trustProxy, false)
  assert.equal(trust('no'), false)
  assert.deepEqual([trust('yes'), trust('1'), trust('3')], [{ hops: 1 }, { hops: 1 }, { hops: 3 }])
  const read = trust('10.0.0.0/8, 2001:db8::/32')
  assert.ok(read && 'networks' in read && read.networks.length === 2)
})

test('text messages go to the provider of SMS_URL, or to the phones of the inbox', () => {
  assert.equal(readConfig({}).sms, undefined)
  const url = 'twilio://AC1:token@api.twilio.com?from=+12025550100'
  const { provider, from } = readConfig({ SMS_URL: url }).sms ?? {}
  assert.deepEqual([provider, from], ['twilio', '+12025550100'])
  const wrong = ['http://AC1:hunter2@relay', 'smpp://id:hunter2@smsc?from=%2B1', 'sms']
  for (const SMS_URL of wrong) {
    assert.throws(
      () => readConfig({ SMS_URL }),
      (error) => error instanceof ConfigError && !error.message.includes('hunter2'),
    )
  }
})

test('every setting is listed once, with its default and meaning', () => {
  assert.equal(new Set(settings.map(({ name }) => name)).size, settings.length)
  for (const { default: value, meaning } of settings) assert.ok(value && meaning)
})

test('marketing waits for a first report where the sender gate is strict, unless the operator says otherwise', () => {
  const SMTP_URL = 'smtp://relay.example'
  assert.equal(readConfig({}).feedbackGate, 'off')
  assert.equal(readConfig({ SMTP_URL }).feedbackGate, 'strict')
  assert.equal(readConfig({ SMTP_URL, SENDER_GATE: 'off' }).feedbackGate, 'off')
  assert.equal(readConfig({ SMTP_URL, FEEDBACK_GATE: 'off' }).feedbackGate, 'off')
  assert.equal(readConfig({ SMTP_URL, FEEDBACK_GATE: 'off' }).senderGate, 'strict')
  assert.throws(() => readConfig({ FEEDBACK_GATE: 'no' }), /must be one of strict, off/)
})
