/**
 * A program uses a form to write to strangers: 10,000 submissions over 500 addresses in the soak,
 * fewer in a run of all tests. FORM_SUBMISSIONS sets the number.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  confirmationScene,
  confirmPathIn,
} from '../../../../tests/support/businesses/confirmations.ts'
import { forms, publishedForm } from '../../../../tests/support/businesses/forms.ts'
import { solveChallenge } from '../../../../tests/support/businesses/guarded-forms.ts'
import { newApiKey } from '../../../../tests/support/clients/api-keys.ts'
import { testVault } from '../../../../tests/support/clients/calls.ts'
import { newGrant, newMember } from '../../../../tests/support/clients/grants.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { confirmationMailJob, confirmationWaitJob } from '../../contacts/consent/confirmation.ts'
import { contactList } from '../../contacts/list.ts'
import { type Id, newId, parseId } from '../../core/ids.ts'
import { createEngine } from '../../core/writes/unit-of-work.ts'
import { sql } from '../../lib/db/db.ts'
import type { Mail } from '../../lib/email/mailer.ts'
import { days, hours, later, minutes, seconds } from '../../lib/time/clock.ts'
import { findHostedForm, makePageToken, submitHosted } from '../hosted-form.ts'
import { formGuard, guardCheckJob, guardedMailJob, guardJobs } from './guard.ts'
import { formDiscard, formHeld, formRelease } from './held.ts'
import { guardLimits } from './limits.ts'

const submissions = Number(process.env['FORM_SUBMISSIONS'] ?? 280)
const strangers = Math.min(500, Math.ceil(submissions / 2))

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const news = { key: 'news', label: 'Send me news.', type: 'consent' }
let scenes = 0

async function scene() {
  const { db } = database
  const all = await confirmationScene({ db, clock })
  const form_id = await publishedForm(all.caller, [news])
  const engine = createEngine({ db, clock })
  const sentToOwners: Mail[] = []
  const guard = guardJobs({
    db,
    clock,
    mailer: { send: async (mail: Mail) => void sentToOwners.push(mail) } as never,
    urls: { appUrl: 'https://app.example' },
    mailFrom: 'crier@crier.test',
  })
  const prefix = `s${++scenes}`
  const deps = {
    db,
    clock,
    vault: testVault,
    writingFor: (id: typeof all.businessId, callId: string) =>
      engine.writingFor({
        businessId: id,
        operation: 'form.submit',
        input: {},
        origin: { connectionId: null, callId },
      }),
  }
  return {
    ...all,
    form_id,
    sentToOwners,
    /** Posts the nth stranger's address, each from its own network. */
    async post(n: number, { proven = false, plain = false } = {}) {
      const form = await findHostedForm(db, form_id)
      assert.ok(form)
      const token = makePageToken(testVault, form.id, later(clock.now(), -seconds(3 + (n % 50))))
      return submitHosted(deps, form, {
        answers: { email: `${prefix}-${n}@d${n % 40}.example`, news: 'true' },
        pageToken: plain ? undefined : token,
        proof: proven ? solveChallenge(token) : '',
        trap: '',
        sourceUrl: 'https://app.example/f',
        consentTexts: {},
        language: 'en',
        isBrowser: false,
        visitor: { address: `10.${scenes}.${Math.floor(n / 250)}.${n % 250}`, agent: undefined },
        requestId: 'req_none',
      })
    },
    async guardedSince() {
      const { guarded_since } = await all.caller.get<{ guarded_since: string | null }>(forms.get, {
        form_id,
      })
      return guarded_since
    },
    check: () => all.drain(guardCheckJob, guard),
    tellOwners: () => all.drain(guardedMailJob, guard),
    held: () =>
      all.caller.get<{
        held: { confirmation_id: string; reason: string }[]
        total: number
        next_cursor?: string
      }>(formHeld, { form_id }),
  }
}

type Scene = Awaited<ReturnType<typeof scene>>

/** Twenty posts every five seconds, and after them the jobs that send their mails. */
async function attack(one: Scene, { from, to }: { from: number; to: number }): Promise<void> {
  for (let n = from; n < to; n++) {
    await one.post(n % strangers)
    if (n % 20 !== 19) continue
    await one.drain(confirmationMailJob)
    clock.forward(seconds(5))
  }
  await one.drain(confirmationMailJob)
}

test('bulk submissions of strangers’ addresses send few mails, and guard the form for about a day', async (t) => {
  const one = await scene()
  await newMember(database.db, { businesses: [one.businessId] })
  const began = clock.now().getTime()
  await attack(one, { from: 0, to: submissions })
  const hoursBegun = Math.ceil((clock.now().getTime() - began) / hours(1))
  const mails = await one.mails()
  t.diagnostic(`${submissions} submissions over ${strangers} addresses: ${mails.length} mails`)
  const { waiting, mailsPerHour } = guardLimits
  assert.ok(mails.length <= waiting + mailsPerHour * hoursBegun, `${mails.length} mails`)
  assert.ok(mails.length >= Math.min(waiting, strangers))
  const recipients = new Set(mails.map(({ recipient }) => recipient))
  assert.equal(recipients.size, mails.length, 'nobody is written to twice in a day')
  assert.notEqual(await one.guardedSince(), null)
  await one.tellOwners()
  assert.match(one.sentToOwners[0]?.subject ?? '', /is being protected against abuse/)
  const { total } = await one.held()
  assert.equal(total, strangers - mails.length)

  // After the last submission the form stays guarded until its unanswered mails are a day old.
  let checks = 0
  while ((await one.guardedSince()) !== null) {
    clock.forward(hours(1))
    await one.check()
    assert.ok(++checks <= 25, 'it never turns back')
  }
  assert.ok(checks >= 23, `it turned back after ${checks} hours`)
  assert.equal((await one.held()).total, total, 'what is held is a person’s to decide')

  // Victims of the attack get no reminder of a confirmation that they never asked for.
  clock.forward(days(3))
  await one.drain(confirmationWaitJob)
  assert.equal((await one.mails()).length, mails.length)
})

test('a guarded form mails at most twenty solved challenges an hour, and external posts are redirected to it', async () => {
  const one = await scene()
  await newMember(database.db, { businesses: [one.businessId] })
  await database.db.run(sql`update businesses set language = 'de' where id = ${one.businessId}`)
  const { waiting, mailsPerHour } = guardLimits
  for (let n = 0; n <= waiting; n++) {
    await one.post(n)
    if (n % 50 === 49) clock.forward(minutes(1))
  }
  await one.drain(confirmationMailJob)
  assert.notEqual(await one.guardedSince(), null)
  await one.tellOwners()
  const [told] = one.sentToOwners
  assert.match(told?.subject ?? '', /^Ein Formular von .* wird vor Missbrauch geschützt$/)
  assert.match(told?.text ?? '', /Formular ansehen:\nhttp/)
  const before = (await one.mails()).length
  assert.equal(before, mailsPerHour, 'a hundred and one came before the first mail')
  assert.deepEqual(await one.post(500, { plain: true }), { result: 'challenge' })
  const page = await one.visitor.send({
    method: 'POST',
    url: `/f/${one.form_id}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=plain%40example.com&news=true',
  })
  assert.deepEqual([page.status, page.to], [303, `/f/${one.form_id}?here=1`])
  const challenge = await one.visitor.get(page.to ?? '')
  assert.equal(challenge.status, 200)
  assert.match(challenge.body, /Programme haben es missbraucht/)
  assert.match(challenge.body, /data-bits="16".*<script src="\/f\/challenge\.js" defer>/s)
  assert.match(String(challenge.headers['content-security-policy']), /script-src 'self'/)
  const script = await one.visitor.get('/f/challenge.js')
  assert.ok(script.body.length < 1_024, `${script.body.length} bytes`)

  clock.forward(hours(1))
  for (let n = 600; n < 602; n++) await one.post(n, { proven: true })
  await one.post(602)
  await one.drain(confirmationMailJob)
  const sent = (await one.mails()).map(({ recipient }) => recipient).slice(before)
  assert.deepEqual(
    sent.map((address) => /-(\d+)@/.exec(address)?.[1]),
    ['600', '601'],
  )
  const { held } = await one.held()
  assert.equal(held[0]?.reason, 'challenge')
  assert.equal(held.at(-1)?.reason, 'rate')
})

test('the business’s members can release or discard the held submissions of a form', async () => {
  const one = await scene()
  for (let n = 0; n <= guardLimits.waiting; n++) {
    await one.post(n)
    if (n % 50 === 49) clock.forward(minutes(1))
  }
  await one.drain(confirmationMailJob)
  const { held, total } = await one.held()
  const before = (await one.mails()).length
  assert.equal(total, guardLimits.waiting + 1 - before)
  const { form_id } = one
  const confirmation_ids = held.slice(0, 2).map((row) => row.confirmation_id)
  const released = await one.caller.get(formRelease, { form_id, confirmation_ids })
  assert.deepEqual(released, { released: 2, left: total - 2 })
  assert.deepEqual(await one.caller.get(formRelease, { form_id, confirmation_ids }), {
    released: 0,
    left: total - 2,
  })
  await one.drain(confirmationMailJob)
  const mails = await one.mails()
  assert.equal(mails.length, before + 2)
  const confirmed = await one.press(confirmPathIn(mails.at(-1) as never), 'POST')
  assert.equal(confirmed.status, 200)
  assert.deepEqual(await one.caller.get(formDiscard, { form_id }), {
    discarded: total - 2,
    left: 0,
  })
  const { contacts } = await one.caller.get<{ contacts: [] }>(contactList, { limit: 200 })
  assert.equal(contacts.length, before + 2, 'strangers are gone')
  const other = await scene()
  const refused = await other.caller.refused(formRelease, {
    form_id: other.form_id,
    confirmation_ids,
  })
  assert.equal(refused.code, 'not_found')
})

test('a form whose people confirm is never guarded, whatever their number', async () => {
  const one = await scene()
  for (let n = 0; n < 120; n++) {
    await one.post(n)
    if (n % 10 !== 9) continue
    await one.drain(confirmationMailJob)
    const mails = (await one.mails()).slice(-10)
    for (const mail of mails.slice(0, 3)) await one.press(confirmPathIn(mail), 'POST')
    clock.forward(minutes(10))
  }
  assert.equal(await one.guardedSince(), null)
  assert.equal((await one.mails()).length, 120)
})

test('an app that asks strangers by many forms is judged by all of them, and a program is not', async () => {
  const { db } = database
  const { businessId, caller } = await scene()
  const { connectionId: app } = await newGrant(db, { businesses: [businessId] })
  const {
    key: { id: program },
  } = await newApiKey(db, { businessId })
  const newForm = async () => parseId('form', await publishedForm(caller, [news])) as Id<'form'>
  for (const connectionId of [app, program]) {
    for (const formId of [await newForm(), await newForm(), await newForm()]) {
      const ids = Array.from({ length: 34 }, () => newId('confirmation'))
      await db.run(sql`
        insert into confirmations (business_id, id, contact_id, address, source, made_contact,
          connection_id, form_id, asked_at, created_at, mailed_at)
        select ${businessId}, id, gen_random_uuid(), id || '@example.com', 'form', true,
          ${connectionId}, ${formId}, ${clock.now()}, ${clock.now()}, ${clock.now()}
        from unnest(${ids}::uuid[]) as new (id)
      `)
    }
  }
  const guard = formGuard(testVault)
  const ask = async (connectionId: Id<'connection'> | null) => {
    const mail = { businessId, formId: await newForm(), unproven: false, connectionId }
    return db.tx((tx) => guard.guardMail(tx, mail, clock.now()))
  }
  const answers: string[] = []
  for (let n = 0; n < guardLimits.mailsPerHour + 2; n++) answers.push(await ask(app))
  assert.deepEqual(answers, [
    ...Array.from({ length: guardLimits.mailsPerHour }, () => 'send'),
    'hold',
    'hold',
  ])
  assert.deepEqual([await ask(program), await ask(null)], ['send', 'send'])
})
