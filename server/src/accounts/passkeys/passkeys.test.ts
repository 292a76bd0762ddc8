/** Passkeys as an attacker tries them, and as their owner uses them. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before } from 'node:test'
import {
  type Behaviour,
  createAuthenticator,
} from '../../../../tests/support/clients/authenticator.ts'
import { testVault } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { type Id, newId } from '../../core/ids.ts'
import { minutes, seconds } from '../../lib/time/clock.ts'
import { insertUser } from '../members/user-queries.ts'
import { handleOf, relyingPartyOf, verifyMade } from './answer.ts'
import { answerChallenge, newChallenge } from './challenge.ts'
import type { PasskeyNotice } from './notice.ts'
import { insertPasskey, passkeysOf } from './passkey.ts'
import { signInByPasskey, signInOptions } from './sign-in.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const site = {
  appUrl: 'https://app.crier.example',
  baseUrl: 'https://crier.example',
  gatewayUrl: 'https://api.crier.example',
}
const rp = { id: 'app.crier.example' }
const start = new Date('2026-11-29T09:00:00Z')
const after5Minutes = new Date(start.getTime() + minutes(5))
const notices: PasskeyNotice[] = []

const parts = () => ({
  db: database.db,
  vault: testVault,
  site,
  notices: { queue: async (_tx: unknown, notice: PasskeyNotice) => void notices.push(notice) },
})

/** A person with a passkey. */
async function somebody() {
  const userId = newId('user')
  await insertUser(database.db, { id: userId, email: `${userId}@example.com`, now: start })
  const authenticator = createAuthenticator({ origin: site.appUrl })
  const holder = randomUUID()
  const challenge = newChallenge(testVault, { purpose: 'add', holder }, start)
  const credential = authenticator.make({ challenge, rp, user: { id: handleOf(userId) } })
  const use = { purpose: 'add', holder } as const
  const { challenge: _answered, ...made } = await verifyMade(parts(), {
    credential,
    use,
    now: start,
  })
  const passkey = { id: newId('passkey'), userId, name: 'My phone', now: start, ...made }
  assert.equal(await database.db.tx((tx) => insertPasskey(tx, passkey)), 1)
  return { userId, authenticator }
}

function optionsFor(browser: string, now = start) {
  const options = signInOptions({ vault: testVault, site }, browser, now)
  assert.ok(options)
  return options as { challenge: string; rpId: string }
}

/** Signs in with what the browser answers, from a network of its own. */
function signIn(
  credential: string,
  { browser, now = start }: { browser: string; now?: Date },
): Promise<Id<'user'> | { code: string; reason: unknown }> {
  const from = `2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}::1`
  const query = { credential, browser, from, now }
  return orRefusal(() => signInByPasskey(parts(), query, async (_tx, userId) => userId)).then(
    (outcome) =>
      isRefusal(outcome)
        ? { code: outcome.code, reason: outcome.details.data?.['reason'] }
        : outcome,
  )
}

test('a passkey signs its person in, on every host of the service, and only once with one answer', async () => {
  const { userId, authenticator } = await somebody()
  for (const origin of [site.appUrl, site.baseUrl, site.gatewayUrl]) {
    const browser = randomUUID()
    const credential = authenticator.use(optionsFor(browser), { origin })
    assert.equal(await signIn(credential, { browser }), userId)
    assert.deepEqual(await signIn(credential, { browser }), {
      code: 'gone',
      reason: 'passkey_late',
    })
  }
  const [passkey] = await passkeysOf(database.db, userId)
  assert.deepEqual(passkey?.lastUsedAt, start)
})

test('an answer is taken for five minutes, and not a moment longer', async () => {
  const { userId, authenticator } = await somebody()
  const browser = randomUUID()
  const credential = authenticator.use(optionsFor(browser))
  const late = await signIn(credential, { browser, now: after5Minutes })
  assert.deepEqual(late, { code: 'gone', reason: 'passkey_late' })
  const inTime = new Date(after5Minutes.getTime() - 1)
  assert.equal(await signIn(credential, { browser, now: inTime }), userId)
})

const unaccepted = { code: 'access_denied', reason: 'passkey_not_accepted' }
const unknown = { code: 'access_denied', reason: 'passkey_unknown' }

const faults: Record<string, { behaviour: Partial<Behaviour>; refused: object }> = {
  'another origin': { behaviour: { origin: 'https://crier.evil' }, refused: unaccepted },
  'an origin with another port': {
    behaviour: { origin: 'https://app.crier.example:8443' },
    refused: unaccepted,
  },
  'another relying party': { behaviour: { rpId: 'crier.evil' }, refused: unaccepted },
  'a person who was not recognised': { behaviour: { isVerified: false }, refused: unaccepted },
  'another person’s handle': {
    behaviour: { userHandle: handleOf(newId('user')) },
    refused: unknown,
  },
}

for (const [name, { behaviour, refused }] of Object.entries(faults)) {
  test(`a use of a passkey with ${name} is refused`, async () => {
    const { userId, authenticator } = await somebody()
    const browser = randomUUID()
    const options = optionsFor(browser)
    assert.deepEqual(await signIn(authenticator.use(options, behaviour), { browser }), refused)
    assert.equal(await signIn(authenticator.use(options), { browser }), userId)
  })
}

test('an answer for another browser, another purpose or a challenge of one’s own is refused', async () => {
  const { authenticator } = await somebody()
  const browser = randomUUID()
  const ofAnother = authenticator.use(optionsFor(randomUUID()))
  assert.deepEqual(await signIn(ofAnother, { browser }), unaccepted)
  const challenge = newChallenge(testVault, { purpose: 'confirm', holder: browser }, start)
  const toConfirm = authenticator.use({ challenge, rpId: rp.id })
  assert.deepEqual(await signIn(toConfirm, { browser }), unaccepted)
  const own = authenticator.use({ challenge: 'A'.repeat(75), rpId: rp.id })
  assert.deepEqual(await signIn(own, { browser }), unaccepted)
})

test('another key under a known id is refused, and so is an unknown passkey', async () => {
  const { authenticator } = await somebody()
  const impostor = createAuthenticator({ origin: site.appUrl })
  const browser = randomUUID()
  const options = optionsFor(browser)
  const foreign = JSON.parse(impostor.use(options)) as object
  const id = authenticator.id.toString('base64url')
  const { userHandle: _none, ...response } = (foreign as { response: Record<string, string> })
    .response
  const forged = JSON.stringify({ ...foreign, id, rawId: id, response })
  assert.deepEqual(await signIn(forged, { browser }), unaccepted)
  assert.deepEqual(await signIn(impostor.use(options), { browser }), unknown)
})

test('what is no answer of a browser is refused, whatever it is', async () => {
  const browser = randomUUID()
  for (const credential of [
    '',
    'null',
    '[]',
    '{"id":1}',
    '{"id":"x","response":{}}',
    '{'.repeat(20_001),
  ]) {
    assert.deepEqual(await signIn(credential, { browser }), unaccepted, credential.slice(0, 40))
  }
})

test('a counter goes forward; one that goes back is refused, and its person told', async () => {
  const { userId, authenticator } = await somebody()
  const use = async (counter: number) => {
    const browser = randomUUID()
    return signIn(authenticator.use(optionsFor(browser), { counter }), { browser })
  }
  assert.equal(await use(7), userId)
  assert.equal(await use(8), userId)
  notices.length = 0
  for (const counter of [8, 3, 0]) {
    assert.deepEqual(await use(counter), { code: 'access_denied', reason: 'passkey_copied' })
  }
  assert.deepEqual(
    notices.map(({ userId: whose, event }) => [whose, event]),
    Array.from({ length: 3 }, () => [userId, 'copied']),
  )
  assert.equal(await use(9), userId)
})

test('of two uses of one passkey at the same moment with the same answer one succeeds', async () => {
  const { userId, authenticator } = await somebody()
  const browser = randomUUID()
  const credential = authenticator.use(optionsFor(browser))
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, () => signIn(credential, { browser })),
  )
  assert.equal(outcomes.filter((outcome) => outcome === userId).length, 1)
})

test('a passkey that is made with another origin, party or person, or unverified, is not stored', async () => {
  const holder = randomUUID()
  const use = { purpose: 'add', holder } as const
  const make = (behaviour: Partial<Behaviour>, change: { holder?: string } = {}) => {
    const request = { ...use, ...change }
    const challenge = newChallenge(testVault, request, start)
    const made = createAuthenticator({ origin: site.appUrl })
    const credential = made.make(
      { challenge, rp, user: { id: handleOf(newId('user')) } },
      behaviour,
    )
    return orRefusal(() => verifyMade(parts(), { credential, use, now: start }))
  }
  for (const behaviour of [
    { origin: 'https://crier.evil' },
    { rpId: 'crier.evil' },
    { isVerified: false },
  ]) {
    const outcome = await make(behaviour)
    assert.ok(isRefusal(outcome), JSON.stringify(behaviour))
  }
  assert.ok(isRefusal(await make({}, { holder: randomUUID() })), 'for another session')
  assert.ok(!isRefusal(await make({})))
})

test('a challenge is answered once, also at the same moment', async () => {
  const challenge = newChallenge(testVault, { purpose: 'add', holder: 'x' }, start)
  const answer = () =>
    orRefusal(() => database.db.tx((tx) => answerChallenge(tx, challenge, start)))
  const outcomes = await Promise.all([answer(), answer(), answer()])
  assert.equal(outcomes.filter((outcome) => isRefusal(outcome)).length, 2)
})

test('passkeys are offered where browsers have them: with https and a name, or on localhost', () => {
  const parties = [
    ['https://crier.example', 'crier.example'],
    ['https://mail.shop.example:8443', 'mail.shop.example'],
    ['http://localhost:3000', 'localhost'],
    ['http://crier.example', undefined],
    ['https://192.0.2.7', undefined],
    ['https://[2001:db8::1]', undefined],
    ['http://127.0.0.1:3000', undefined],
  ] as const
  for (const [appUrl, party] of parties) assert.equal(relyingPartyOf({ appUrl }), party, appUrl)
})

test('a network has sixty attempts in a quarter of an hour', async () => {
  const now = new Date(start.getTime() + seconds(1))
  const attempt = () =>
    orRefusal(() =>
      signInByPasskey(
        parts(),
        { credential: '', browser: 'b', from: '198.51.100.7', now },
        async () => {},
      ),
    )
  const codes = []
  for (let i = 0; i < 61; i++) {
    const outcome = await attempt()
    codes.push(isRefusal(outcome) && outcome.code)
  }
  assert.equal(codes.filter((code) => code === 'access_denied').length, 60)
  assert.equal(codes.at(-1), 'rate_limited')
})
