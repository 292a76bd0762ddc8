/** Mail of a template and of a campaign in the language of each recipient, by a real SMTP relay. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { awaitState, draftTo, relaySettings } from '../support/businesses/campaign-runs.ts'
import { deployPlanned, yes } from '../support/businesses/campaigns.ts'
import { type FakeRelay, startFakeRelay } from '../support/mail/fake-relay.ts'
import { eventually } from '../support/time/eventually.ts'

let relay: FakeRelay
let testbed: OwnTestbed
before(async () => {
  relay = await startFakeRelay()
  testbed = await openTestbed(relaySettings(relay.url()))
})
after(async () => {
  await testbed.close()
  await relay.stop()
})

const content = {
  subject: 'News',
  html: '<p>Hello {{ contact.name }}</p>',
  translations: {
    de: { subject: 'Neues', html: '<p>Hallo {{ contact.name }}</p>' },
    'pt-BR': { subject: 'Novidades', html: '<p>Oi {{ contact.name }}</p>' },
  },
}

/** The subject, the greeting and the language of the footer of the mail to an address. */
async function mailTo(to: string) {
  const [mail] = await eventually(
    async () => relay.taken.filter((entry) => entry.to === to),
    ({ length }) => length > 0,
  )
  const source = mail?.source ?? ''
  const subject = /^Subject: (.*)$/m.exec(source)?.[1]?.trim()
  const greeting = /(Hello|Hallo|Oi) Ana/.exec(source)?.[1]
  const footer = /(Unsubscribe|Abmelden|Cancelar) (?:or|oder|a) /.exec(source)?.[1]
  return { subject, greeting, footer }
}

test('a campaign is counted, checked and sent in the language of each recipient', async () => {
  const running = await draftTo(testbed, 0, { content })
  const { scene, name: campaign_id } = running
  const languages = { ana: 'de-AT', bea: 'pt-BR', cyd: 'pt', dan: 'fr', eve: undefined }
  for (const [who, language] of Object.entries(languages)) {
    const contact = { email: `${who}@lang.example`, name: 'Ana', consent: { email: yes } }
    await scene.contact({ ...contact, ...(language && { language }) })
  }
  const plan = await scene.owner.get<{
    recipients: number
    languages: object[]
    plan_hash: string
    samples: { language?: string; data: string; subject: string }[]
  }>('campaign.preview', { campaign_id })
  assert.equal(plan.recipients, 5)
  assert.deepEqual(plan.languages, [
    { language: null, recipients: 3 },
    { language: 'de', recipients: 1 },
    { language: 'pt-BR', recipients: 1 },
  ])
  assert.deepEqual(
    plan.samples.flatMap(({ language, subject }) => (language ? [`${language} ${subject}`] : [])),
    ['de Neues', 'pt-BR Novidades'],
  )
  const changed = { translations: { de: { subject: 'Neuigkeiten' } } }
  await scene.owner.get('campaign.save', { campaign_id, content: changed })
  const drift = await scene.refused('campaign.deploy', { campaign_id, plan_hash: plan.plan_hash })
  assert.equal(drift.code, 'conflict')
  const again = await scene.owner.get<{ plan_hash: string }>('campaign.preview', { campaign_id })
  await deployPlanned(scene.owner, { campaign_id, plan_hash: again.plan_hash })
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await mailTo('ana@lang.example'), {
    subject: 'Neuigkeiten',
    greeting: 'Hallo',
    footer: 'Abmelden',
  })
  const subjects = await Promise.all(
    ['bea', 'cyd', 'dan', 'eve'].map(async (who) => (await mailTo(`${who}@lang.example`)).subject),
  )
  assert.deepEqual(subjects, ['Novidades', 'News', 'News', 'News'])
})

test('a translation that is empty for some people stops the campaign, and a test sends the one that is asked for', async () => {
  const { scene, name: campaign_id } = await draftTo(testbed, 1, { content })
  const email = await testerOf(scene)
  await scene.owner.get('campaign.test', { campaign_id, language: 'pt-br' })
  assert.equal((await mailTo(email)).subject, '[Test] Novidades')
  const no = await scene.refused('campaign.test', { campaign_id, language: 'fr' })
  assert.deepEqual([no.code, no.field], ['invalid_request', 'language'])
  const bare = { translations: { de: { subject: '{{ contact.attributes.nothing }}' } } }
  await scene.owner.get('campaign.save', { campaign_id, content: bare })
  const { gates } = await scene.owner.get<{
    gates: { gate: string; result: string; evidence: string }[]
  }>('campaign.preview', { campaign_id })
  const gate = gates.find((entry) => entry.gate === 'content')
  assert.equal(gate?.result, 'block')
  assert.match(gate?.evidence ?? '', /empty data in de/)
})

async function testerOf({ businessId }: Awaited<ReturnType<typeof draftTo>>['scene']) {
  const { email } = await testbed.db.one<{ email: string }>(sql`
    select u.email from memberships m join users u on u.id = m.user_id
    where m.business_id = ${businessId}
  `)
  return email
}

test('a single mail and a text follow the contact, or the language of the call', async () => {
  const { owner } = await testbed.someone('scale')
  const { template_id } = await owner.get<{ template_id: string }>('template.save', {
    name: 'Receipt',
    ...content,
  })
  const contact = { email: 'one@lang.example', name: 'Ana', phone: '+14155550177', language: 'de' }
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', contact)
  await owner.get('email.send', { contact_id, template_id })
  assert.equal((await mailTo('one@lang.example')).subject, 'Neues')
  const stranger = { to: 'two@lang.example', template_id, language: 'PT-br' }
  await owner.get('email.send', stranger)
  assert.equal((await mailTo('two@lang.example')).subject, 'Novidades')
  await owner.get('email.send', { to: 'three@lang.example', template_id, language: 'es' })
  assert.equal((await mailTo('three@lang.example')).subject, 'News')
  const later = { contact_id, template_id, language: 'pt-BR' }
  assert.equal((await owner.get<{ duplicate?: boolean }>('email.send', later)).duplicate, undefined)

  const sms = await owner.get<{ template_id: string }>('template.save', {
    name: 'Reminder',
    channel: 'sms',
    text: 'See you, {{ contact.name }}',
    translations: { de: { text: 'Bis bald, {{ contact.name }}' }, fr: { text: 'À bientôt' } },
  })
  const { template_id: reminder } = sms
  await owner.get('sms.send', { template_id: reminder, contact_id })
  await owner.get('sms.send', { template_id: reminder, contact_id, language: 'fr-CA' })
  const texts = await eventually(
    () =>
      testbed.db.all<{ body: string }>(sql`
        select body from inbox_texts where phone = ${contact.phone} order by body
      `),
    ({ length }) => length === 2,
  )
  assert.deepEqual(
    texts.map(({ body }) => body),
    ['Bis bald, Ana', 'À bientôt'],
  )
  for (const [input, words] of [
    [{ language: 'German', template_id }, /language tag/],
    [{ language: 'de', subject: 'Hi', text: 'Hi' }, /translation of a template/],
  ] as const) {
    const { body } = await owner.call('email.send', { to: 'x@lang.example', ...input })
    const refusal = body as unknown as { field: string; message: string }
    assert.equal(refusal.field, 'language')
    assert.match(refusal.message, words)
  }
})
