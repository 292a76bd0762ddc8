/** Whose opens and clicks are recorded, in the whole service with real mail. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { catalog, type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { sendOff } from '../support/businesses/campaign-drafts.ts'
import { awaitState, countsOf, draftTo, type Running } from '../support/businesses/campaign-runs.ts'
import { yes } from '../support/businesses/campaigns.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { restCaller } from '../support/clients/rest-caller.ts'
import { newPerson } from '../support/clients/sign-in.ts'
import { eventually } from '../support/time/eventually.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

const html = '<p>Hello {{ contact.name }}, see <a href="https://shop.test/">the shop</a>.</p>'
const content = { subject: 'News', html }

type Tracking = 'subscribed' | 'unsubscribed' | undefined

interface Person {
  email: string
  id: Id<'contact'>
}

async function person({ scene }: Running, tracking: Tracking): Promise<Person> {
  const email = newPerson()
  const said = { status: tracking, source: 'checkout page', text: 'You may count my opens.' }
  const consent = { email: yes, ...(tracking && { tracking: said }) }
  return { email, id: await scene.contact({ email, consent }) }
}

/** A campaign of a business with this policy, sent to people with these choices about tracking. */
async function sentTo<Who extends string>(policy: string, people: Record<Who, Tracking>) {
  const running = await draftTo(testbed, 0, { content })
  await running.scene.owner.get('business.save', { tracking: policy })
  const named = {} as Record<Who, Person>
  for (const who of Object.keys(people) as Who[]) named[who] = await person(running, people[who])
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  return { running, named }
}

/** The HTML of the person's mail in the inbox. */
async function mailOf({ email }: Person): Promise<string> {
  const listing = `${testbed.service.url}/inbox/messages?to=${encodeURIComponent(email)}`
  const { messages } = await eventually(
    async () => (await (await fetch(listing)).json()) as { messages: { html: string }[] },
    (shown) => shown.messages.length > 0,
  )
  return messages[0]?.html ?? ''
}

const carries = (page: string) => [/\/o\/[\w-]{59}/.test(page), /\/c\/[\w-]{82}/.test(page)]
const tracked = [true, true]
const plain = [false, false]

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const browse = (url: string | undefined) =>
  fetch(url ?? '', { headers: { 'user-agent': agent }, redirect: 'manual' })
const pixelIn = (page: string) => /https?:\/\/[^"]+\/o\/[\w-]{59}/.exec(page)?.[0]
const linkIn = (page: string) => /https?:\/\/[^"]+\/c\/[\w-]{82}/.exec(page)?.[0]

const recordedOf = async ({ id }: Person) => {
  const rows = await testbed.db.all<{ type: string }>(sql`
    select type from contact_activity
    where contact_id = ${id} and type in ('message.opened', 'message.clicked')
    union all
    select e.type from message_events e join messages m on m.business_id = e.business_id
      and m.id = e.message_id
    where m.contact_id = ${id} and e.type in ('opened', 'clicked')
  `)
  return rows.map(({ type }) => type).sort()
}
const marksOf = async ({ campaignId }: Running, { id }: Person) =>
  (
    await testbed.db.one<{ marks: number }>(sql`
      select marks from campaign_recipients
      where campaign_id = ${campaignId} and contact_id = ${id}`)
  ).marks
const visitsOf = async ({ businessId }: Running) =>
  testbed.db.all(sql`select id from link_visits where business_id = ${businessId}`)

const counted = (running: Running, metric: string, n: number) =>
  eventually(
    async () => (await countsOf(running))[metric] ?? 0,
    (now) => now >= n,
    15_000,
  )

test('under the policy “everyone”, all contacts are tracked except those who objected', async () => {
  const { running, named } = await sentTo('everyone', {
    silent: undefined,
    agreed: 'subscribed',
    objected: 'unsubscribed',
  })
  assert.deepEqual(carries(await mailOf(named.silent)), tracked)
  assert.deepEqual(carries(await mailOf(named.agreed)), tracked)
  const untracked = await mailOf(named.objected)
  assert.deepEqual(carries(untracked), plain)
  assert.ok(untracked.includes('href="https://shop.test/"'), 'the link leads straight there')
  assert.match(untracked, /\/u\//, 'unsubscribing works as ever')
  const settings = await running.scene.owner.get<{ tracking: string }>('business.get', {})
  assert.equal(settings.tracking, 'everyone')
})

test('under the policy “agreed”, only contacts who agreed get a pixel and tracked links', async () => {
  const { named } = await sentTo('agreed', { silent: undefined, agreed: 'subscribed' })
  assert.deepEqual(carries(await mailOf(named.agreed)), tracked)
  assert.deepEqual(carries(await mailOf(named.silent)), plain)
})

test('under the policy “nobody”, not even contacts who agreed are tracked', async () => {
  const { named } = await sentTo('nobody', { agreed: 'subscribed' })
  assert.deepEqual(carries(await mailOf(named.agreed)), plain)
})

test('mail to an address that is not a contact follows the tracking policy too', async () => {
  const { owner } = await testbed.someone()
  await owner.get('business.save', { tracking: 'agreed' })
  const email = newPerson()
  await owner.get('email.send', { to: email, ...content, html: html.replace(/{{.*}}/, 'you') })
  assert.deepEqual(carries(await mailOf({ email, id: '' as Id<'contact'> })), plain)
})

test('after a contact withdraws consent, only anonymous campaign totals are recorded', async () => {
  const { running, named } = await sentTo('everyone', { stays: undefined, leaves: undefined })
  const [stays, leaves] = [await mailOf(named.stays), await mailOf(named.leaves)]
  const no = { status: 'unsubscribed', source: 'told us on the phone' }
  await running.scene.contact({ email: named.leaves.email, consent: { tracking: no } })
  for (const page of [stays, leaves]) {
    assert.equal((await browse(pixelIn(page))).status, 200)
    const followed = await browse(linkIn(page))
    assert.equal(followed.headers.get('location'), 'https://shop.test/', 'the link still leads on')
  }
  assert.equal(await counted(running, 'opened_anonymously', 1), 1)
  assert.equal(await counted(running, 'clicked_anonymously', 1), 1)
  assert.equal(await counted(running, 'clicked', 1), 1)
  const { counts, links } = await running.scene.owner.get<{
    counts: Record<string, number>
    links: { people: number }[]
  }>('campaign.get', { campaign_id: running.name })
  assert.deepEqual([counts['opened'], counts['clicked']], [1, 1])
  assert.deepEqual([counts['opened_anonymously'], counts['clicked_anonymously']], [1, 1])
  assert.deepEqual(
    links.map(({ people }) => people),
    [1],
  )
  assert.deepEqual(await recordedOf(named.leaves), [])
  assert.equal(await marksOf(running, named.leaves), 0)
  assert.deepEqual(await recordedOf(named.stays), [
    'clicked',
    'message.clicked',
    'message.opened',
    'opened',
  ])
  const left = await visitsOf(running)
  assert.equal(left.length, 1, 'the visit of whoever withdrew is gone once it is counted')
})

test('pixels already sent stop recording people once the business sets the policy “nobody”', async () => {
  const { running, named } = await sentTo('everyone', { agreed: 'subscribed' })
  const page = await mailOf(named.agreed)
  await running.scene.owner.get('business.save', { tracking: 'nobody' })
  await browse(pixelIn(page))
  assert.equal(await counted(running, 'opened_anonymously', 1), 1)
  assert.deepEqual(await recordedOf(named.agreed), [])
})

interface Shown {
  consent: {
    tracking: { status: string; history: { action: string; source: string; text: string | null }[] }
  }
}

test('a contact’s objection to tracking stays, with its evidence, until the contact takes it back', async () => {
  const running = await draftTo(testbed, 0)
  const { owner } = running.scene
  const { email, id } = await person(running, 'unsubscribed')
  const shown = async () =>
    (await owner.get<Shown>('contact.get', { contact_id: formatId('contact', id) })).consent
      .tracking
  const again = { status: 'subscribed', source: 'a list' }
  const kept = await owner.get<{ stayed_unsubscribed?: string[] }>('contact.upsert', {
    email,
    consent: { tracking: again },
  })
  assert.deepEqual(kept.stayed_unsubscribed, ['tracking'])
  await owner.get('contact.import', { contacts: [{ email, consent: { tracking: again } }] })
  assert.equal((await shown()).status, 'unsubscribed')
  const at = new Date(Date.now() + 60_000).toISOString()
  const words = { ...again, text: 'You may count my opens.', at }
  const said = { email, consent: { tracking: words } }
  const byApp = await owner.get<{ stayed_unsubscribed?: string[] }>('contact.upsert', said)
  assert.deepEqual(byApp.stayed_unsubscribed, ['tracking'], 'no app takes an objection back')
  const { secret } = await newApiKey(testbed.db, { businessId: running.businessId })
  const shop = restCaller(testbed.service.config.gatewayUrl, catalog, async () => secret)
  await shop.get('contact.upsert', said)
  const { status, history } = await shown()
  assert.equal(status, 'subscribed')
  assert.deepEqual(
    history.map(({ action, source }) => [action, source]),
    [
      ['subscribed', 'a list'],
      ['unsubscribed', 'checkout page'],
    ],
  )
  const filter = { consent: 'tracking', is: 'subscribed' }
  const { contacts } = await owner.get<{ contacts: { email: string }[] }>('contact.list', {
    filter,
  })
  assert.deepEqual(
    contacts.map((contact) => contact.email),
    [email],
  )
})

test('the preference page has a checkbox for tracking that works without script', async () => {
  const { running, named } = await sentTo('everyone', { ana: undefined })
  const way = /https?:\/\/[^"]+\/u\/[\w-]+/.exec(await mailOf(named.ana))?.[0] ?? ''
  const box = async () =>
    /<input type="checkbox" name="tracking" value="yes"( checked)?>/.exec(
      await (await fetch(way)).text(),
    )
  assert.equal((await box())?.[1], ' checked')
  const fields = { shown: 'email', channel: 'email', shown_tracking: 'yes' }
  const post = (more: object = {}) =>
    fetch(way, { method: 'POST', body: new URLSearchParams({ ...fields, ...more }) })
  const tracking = async () => {
    const contact_id = formatId('contact', named.ana.id)
    return (await running.scene.owner.get<Shown>('contact.get', { contact_id })).consent.tracking
  }
  await post({ tracking: 'yes' })
  assert.equal((await tracking()).status, 'none', 'leaving the box as it was says nothing')
  await post()
  const { status, history } = await tracking()
  assert.equal(status, 'unsubscribed')
  assert.match(history[0]?.source ?? '', /^preference page, msg_/)
  assert.match(history[0]?.text ?? '', /may record whether I open its emails/)
  assert.equal((await box())?.[1], undefined)
  await post({ tracking: 'yes' })
  assert.equal((await tracking()).status, 'subscribed')
  await running.scene.owner.get('business.save', { tracking: 'nobody' })
  assert.equal(await box(), null, 'there is nothing to choose where nobody is tracked')
})

test('a hosted form can ask for consent to tracking', async () => {
  const { owner } = await testbed.someone()
  const { form_id } = await owner.get<{ form_id: string }>('form.save', {
    name: 'News',
    status: 'published',
    fields: [
      { key: 'email', label: 'Email', type: 'email', required: true },
      { key: 'count', label: 'You may count my opens.', type: 'consent', channel: 'tracking' },
    ],
  })
  const email = newPerson()
  const { contact_id } = await owner.get<{ contact_id: string }>('form.submit', {
    form_id,
    fields: { email, count: 'true' },
    source_url: 'https://shop.test/',
  })
  const { consent } = await owner.get<Shown>('contact.get', { contact_id })
  assert.equal(consent.tracking.status, 'subscribed')
  assert.equal(consent.tracking.history[0]?.text, 'You may count my opens.')
  assert.equal(consent.tracking.history[0]?.source, `form ${form_id}`)
})
