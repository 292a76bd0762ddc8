import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { Outbox } from '../../../../tests/support/mail/outbox.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { refused } from '../../../../tests/support/refused.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { isRefusal, orRefusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { createVault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { minutes, seconds } from '../../lib/time/clock.ts'
import type { MagicLink } from './magic-link.ts'
import { type LinkToRequest, requestLink } from './request-link.ts'
import { sendSignInMail } from './sign-in-mail.ts'
import { readLink, useLink } from './use-link.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock()
const vault = createVault('a secret of at least thirty-two characters')
const queued: Id<'link'>[] = []
const signInMailer = {
  async queue(_tx: Tx, linkId: Id<'link'>) {
    queued.push(linkId)
  },
}

let askers = 0
function deps() {
  return { db: database.db, vault, signInMailer }
}

function ask(change: Partial<LinkToRequest> = {}) {
  return requestLink(deps(), {
    purpose: 'connect',
    email: `person${++askers}@example.com`,
    request: { leadsTo: 'claude.ai' },
    browser: 'first',
    guarded: false,
    from: `10.0.0.${askers}`,
    now: clock.now(),
    ...change,
  })
}

/** Requests a link, renders its mail, and returns the token in it. */
async function linkFor(change: Partial<LinkToRequest> = {}) {
  const asked = await ask(change)
  const mailer = new Outbox()
  const urls = { baseUrl: 'https://api.example', appUrl: 'https://app.example' }
  const id = queued.at(-1)
  assert.ok(id)
  const rest = { rule: { signup: 'open' as const }, urls, mailFrom: 'crier@app.example' }
  await sendSignInMail({ db: database.db, vault, mailer, clock, ...rest }, id)
  const [mail] = mailer.sent
  assert.ok(mail)
  const token = /\/sign-in\/(\S+)/.exec(mail.text)?.[1] ?? ''
  return { token, mail, ...asked }
}

const use = (token: string, by: { browser?: string; code?: string }) =>
  useLink(
    deps(),
    {
      token,
      browser: by.browser,
      pressed: by.code === undefined ? undefined : { code: by.code },
      now: clock.now(),
    },
    async (_tx, link) => link,
  )

const codeOf = (answer: MagicLink | Error) => refused(answer).code

test('the mail contains the link in HTML and text, and the database does not contain its token', async () => {
  const { token, mail } = await linkFor()
  assert.match(token, /^[A-Za-z0-9_-]{43}$/)
  assert.ok(mail.html.includes(`href="https://api.example/sign-in/${token}"`))
  const rows = await database.db.all(sql`select magic_links::text as row from magic_links`)
  assert.ok(!JSON.stringify(rows).includes(token))
  const bytes = Buffer.from(token, 'base64url').toString('hex')
  assert.ok(!JSON.stringify(rows).includes(bytes))
})

test('a session link leads to the app, and a connect link to the API', async () => {
  const { mail } = await linkFor({ purpose: 'session', request: {} })
  assert.match(mail.text, /https:\/\/app\.example\/sign-in\//)
})

test('the browser that requested the link can use it once', async () => {
  const { token, email } = await linkFor()
  const link = await use(token, { browser: 'first' })
  assert.equal(link.email, email)
  assert.equal(codeOf(await orRefusal(() => use(token, { browser: 'first' }))), 'gone')
})

test('of twenty concurrent uses of a link exactly one succeeds', async () => {
  const { token } = await linkFor()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => orRefusal(() => use(token, { browser: 'first' }))),
  )
  assert.equal(answers.filter((answer) => !isRefusal(answer)).length, 1)
})

test('another browser does not use up the link until the button is pressed', async () => {
  const { token } = await linkFor()
  assert.equal(codeOf(await orRefusal(() => use(token, { browser: 'second' }))), 'access_denied')
  assert.equal(codeOf(await orRefusal(() => use(token, {}))), 'access_denied')
  await use(token, { browser: 'second', code: '' })
})

test('a link stays unused if the work that it starts is refused', async () => {
  const { token } = await linkFor()
  const no = { token, browser: 'first', pressed: undefined, now: clock.now() }
  const answer = await useLink(deps(), no, async () => {
    return refuse('access_denied', 'no')
  })
  assert.ok(isRefusal(answer))
  await use(token, { browser: 'first' })
})

test('a link works for ten minutes and not a millisecond longer', async () => {
  const early = await linkFor()
  clock.forward(minutes(10) - 1)
  await use(early.token, { browser: 'first' })
  const late = await linkFor()
  clock.forward(minutes(10))
  const answer = await orRefusal(() => use(late.token, { browser: 'first' }))
  assert.ok(isRefusal(answer) && answer.code === 'gone')
  assert.match(answer.message, /expired/)
})

test('a guarded link requires the code in another browser, with or without spaces', async () => {
  const { token, shortCode = '' } = await linkFor({ guarded: true })
  assert.match(shortCode, /^\d{6}$/)
  const wrong = shortCode === '000000' ? '000001' : '000000'
  assert.equal(codeOf(await orRefusal(() => use(token, { code: '' }))), 'invalid_request')
  assert.equal(codeOf(await orRefusal(() => use(token, { code: wrong }))), 'invalid_request')
  const spaced = `${shortCode.slice(0, 3)} ${shortCode.slice(3)}`
  await use(token, { code: spaced })
})

test('five wrong codes block a guarded link for other browsers, even if sent at once', async () => {
  const { token, shortCode = '' } = await linkFor({ guarded: true })
  const guesses = Array.from({ length: 12 }, (_, i) => String(i).padStart(6, '0'))
  const wrong = guesses.filter((guess) => guess !== shortCode)
  const answers = await Promise.all(wrong.map((code) => orRefusal(() => use(token, { code }))))
  const codes = answers.map(codeOf)
  assert.equal(codes.filter((code) => code === 'invalid_request').length, 5)
  assert.equal(codeOf(await orRefusal(() => use(token, { code: shortCode }))), 'gone')
  await use(token, { browser: 'first' })
})

test('a malformed or changed token is an unknown link', async () => {
  const { token } = await linkFor()
  const changed = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
  for (const text of ['', 'x', changed, `${token} `]) {
    assert.equal(
      codeOf(await orRefusal(() => use(text, { browser: 'first', code: '' }))),
      'not_found',
    )
  }
  await readLink(database.db, token, clock.now())
})

test('one network gets five mails to one address in 15 minutes, and both may still get mail otherwise', async () => {
  const email = 'flooded@example.com'
  const from = '203.0.113.20'
  for (let i = 0; i < 5; i++) await ask({ email, from })
  const sixth = await orRefusal(() => ask({ email: ' FLOODED@example.com', from }))
  assert.ok(isRefusal(sixth) && sixth.code === 'rate_limited')
  assert.ok((sixth.details.retryAfter ?? 0) > 0)
  await ask({ email })
  await ask({ from })
  clock.forward(minutes(15) + seconds(1))
  await ask({ email, from })
})

test('one address gets twenty mails in 15 minutes, whichever network requests them', async () => {
  const email = 'besieged@example.com'
  for (let i = 0; i < 20; i++) await ask({ email })
  const next = await orRefusal(() => ask({ email }))
  assert.ok(isRefusal(next) && next.code === 'rate_limited')
  clock.forward(minutes(15) + seconds(1))
  await ask({ email })
})

test('one network can request thirty mails in 15 minutes, whatever the addresses', async () => {
  for (let i = 0; i < 30; i++) await ask({ from: '203.0.113.7' })
  const refusedNow = await orRefusal(() => ask({ from: '203.0.113.7' }))
  assert.ok(isRefusal(refusedNow) && refusedNow.code === 'rate_limited')
  await ask({ from: '203.0.113.8' })
})
