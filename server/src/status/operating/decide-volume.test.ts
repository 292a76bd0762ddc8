import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { pastVolume } from '../../config/past-volume.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { approvedOf } from '../../sender-domains/volume/waiting.ts'
import { withdrawDecision } from './decide-volume.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({})
})
after(() => testbed.close())

interface Listed {
  volumes: {
    business_id: string
    domain: string
    emails_per_day: number
    begins_at_day: number
    business_name: string
    note?: string
  }[]
  is_part: boolean
}

/** An owner, who runs this machine too, with verified domains about which they state something. */
async function sceneOf(domains: string[]) {
  const businessId = await testbed.newBusiness()
  const person = await testbed.appCaller({ businesses: [businessId] })
  const business_id = formatId('business', businessId)
  for (const domain of domains) {
    await person.get('domain.add', { business_id, domain })
    await verify(businessId, domain)
    const stated = { domain, emails_per_day: 4_000, note: 'Two <b>years</b>' }
    await person.get('domain.state_volume', { business_id, ...stated })
  }
  const list = () => person.get<Listed>('operator.volumes', {})
  const waiting = async () => (await list()).volumes.map(({ domain }) => domain)
  const shown = async (domain: string) => {
    const answer = await person.get<{ domains: { past_volume?: Record<string, unknown> }[] }>(
      'domain.status',
      { business_id, domain },
    )
    return answer.domains[0]?.past_volume
  }
  const answers = (many: number) =>
    eventually(
      () =>
        testbed.db.all<{ subject: string; text: string; html: string }>(sql`
          select i.subject, i.body_text as text, i.body_html as html from inbox_messages i
          join users u on u.email = i.recipient where u.id = ${person.userId} order by i.id
        `),
      (found) => found.length >= many,
    )
  return { businessId, business_id, person, list, waiting, shown, answers }
}

async function verify(businessId: Id<'business'>, name: string) {
  await testbed.db.run(sql`
    with of_domain as (
      update domains set status = 'verified'
      where business_id = ${businessId} and name = ${name} returning id, name
    )
    insert into domain_claims (name, domain_id, degraded, claimed_at)
    select name, id, false, now() from of_domain
  `)
}

test('the operator reads waiting statements with business and note, and answers each once', async () => {
  const [less, none] = ['less.example', 'none.example'] as const
  const { businessId, business_id, person, list, waiting, shown } = await sceneOf([less, none])
  const { volumes, is_part } = await list()
  assert.equal(is_part, false)
  assert.deepEqual(
    volumes.map(({ domain }) => domain),
    [less, none],
  )
  assert.partialDeepStrictEqual(volumes[0], {
    business_id,
    emails_per_day: 4_000,
    begins_at_day: 5,
    note: 'Two <b>years</b>',
  })
  assert.equal(typeof volumes[0]?.business_name, 'string')

  const approve = () =>
    person.call('operator.answer_volume', { domain: less, approved_per_day: 500 })
  const approved = await approve()
  assert.deepEqual([approved.status, approved.body], [200, { domain: less, begins_at_day: 2 }])
  assert.deepEqual(await waiting(), [none])
  assert.partialDeepStrictEqual(await shown(less), { state: 'approved', approved_per_day: 500 })
  const streams = await testbed.db.all(sql`
    select kind, provider, head_start as days from send_throttles where domain = ${less}
  `)
  assert.deepEqual(streams, [{ kind: 'marketing', provider: '*', days: 1 }])

  const answer = 'Your last service counts 300 a day.'
  const refused = await person.get('operator.answer_volume', { domain: none, answer })
  assert.deepEqual(refused, { domain: none, begins_at_day: 1 })
  assert.partialDeepStrictEqual(await shown(none), { state: 'refused', answer })
  assert.deepEqual(await waiting(), [])

  assert.equal((await approve()).status, 200, 'the same answer again changes nothing')
  const again = await person.call('operator.answer_volume', { domain: less })
  assert.deepEqual([again.status, again.body['code']], [409, 'conflict'])
  assert.doesNotMatch(String(again.body['message']), /crier /)
  const entries = await testbed.db.all(sql`
    select action, subject, user_id as "userId" from audit_entries
    where business_id = ${businessId} and action like 'operator.%' order by id
  `)
  assert.deepEqual(entries, [
    { action: 'operator.approve_volume', subject: less, userId: person.userId },
    { action: 'operator.refuse_volume', subject: none, userId: person.userId },
  ])
})

test('an answer beyond its bounds changes nothing', async () => {
  const domain = 'edge.example'
  const { person, waiting } = await sceneOf([domain])
  for (const [field, value] of [
    ['approved_per_day', pastVolume.least - 1],
    ['approved_per_day', pastVolume.most + 1],
    ['answer', ''],
    ['answer', 'x'.repeat(pastVolume.noteLength + 1)],
    ['decision', 'approve'],
  ] as const) {
    const { status, body } = await person.call('operator.answer_volume', { domain, [field]: value })
    assert.deepEqual([status, body['field']], [400, field])
  }
  assert.deepEqual(await waiting(), [domain])
})

test('an owner reads each answer in a mail, in the language of the business', async () => {
  const { businessId, business_id, person, answers } = await sceneOf(['yes.example', 'no.example'])
  await testbed.appCaller({ businesses: [businessId], role: 'admin' })
  const [admin] = await testbed.db.all<{ email: string }>(sql`
    select u.email from memberships m join users u on u.id = m.user_id
    where m.business_id = ${businessId} and m.role = 'admin'
  `)
  await person.get('operator.answer_volume', { domain: 'yes.example', approved_per_day: 1_000 })
  const [english] = await answers(1)
  assert.equal(english?.subject, 'Approved: past volume of yes.example')
  assert.match(
    english.text,
    /previously sent 4,000 emails per day\..*approved 1,000 emails per day\./,
  )
  assert.match(english.text, /starts at day 3,/)
  const page = `${testbed.service.config.appUrl}/b/${business_id}/domains`
  assert.ok(english.text.includes(`View domains:\n${page}\n`), english.text)

  await person.get('business.save', { business_id, language: 'de-AT' })
  const answer = 'Bitte <b>belegen</b>: https://evil.example/x'
  await person.get('operator.answer_volume', { domain: 'no.example', answer })
  const [, german] = await answers(2)
  assert.equal(german?.subject, 'Abgelehnt: früheres Volumen von no.example')
  assert.match(german.text, /4\.000 E-Mails pro Tag.*Der Betreiber schreibt: „Bitte <b>/)
  assert.match(german.html, /<html lang="de">/)
  assert.match(german.html, /&lt;b&gt;belegen/)
  assert.doesNotMatch(german.html, /evil\.example/, 'the operator’s words make no link')

  const approved = await approvedOf(testbed.db, 'yes.example')
  await testbed.db.tx((tx) => withdrawDecision(tx, approved, { answer: null, now: new Date() }))
  const [, , back] = await answers(3)
  assert.equal(back?.subject, 'Bestätigung zurückgenommen: früheres Volumen von yes.example')
  assert.match(back.text, /läuft ohne die übersprungenen Tage weiter/)
  const others = await testbed.db.all(sql`
    select 1 from inbox_messages where recipient = ${admin?.email ?? assert.fail()}
  `)
  assert.deepEqual(others, [])
})
