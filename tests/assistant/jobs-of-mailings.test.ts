/**
 * Jobs of an owner about mailings (`jobs.ts`), each done over the tools alone by an assistant that knows
 * no name and no id in advance.
 */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { deployPlanned, yes } from '../support/businesses/campaigns.ts'
import { eventually } from '../support/time/eventually.ts'
import { approvedByOwner, asksFirst, jobs, ownersYes, type Workplace } from './jobs.ts'
import { idOf, idWith } from './worker.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ settings: { CANARY_SECONDS: '0' } })
})
after(() => testbed.close())

const { job } = jobs(() => testbed)

interface Campaign {
  status: string
  recipients: number
  counts: Record<string, number>
}

const lookAt = ({ owner }: Workplace, campaign_id: string) =>
  owner.get<Campaign>('campaign.get', { campaign_id })

const completed = (place: Workplace, campaign_id: string) =>
  eventually(
    () => lookAt(place, campaign_id),
    ({ status }) => status === 'completed',
  )

/** Addresses to which a mail of the business went, in order. */
async function receivers({ owner }: Workplace): Promise<string[]> {
  const { messages } = await owner.get<{ messages: { to: string }[] }>('message.list', {
    limit: 200,
  })
  return messages.map(({ to }) => to).toSorted()
}

job(3, async (place) => {
  const { worker, owner, draft, subscribers } = place
  await subscribers(2)
  await owner.get('contact.upsert', {
    email: 'shop@example.com',
    tags: ['wholesale'],
    consent: { email: yes },
  })
  const { campaign_id } = await draft({ name: 'December' })
  await asksFirst(testbed, place)
  const nothingYet = async () => assert.deepEqual(await receivers(place), [])
  const list = await worker.use('list campaigns', [['occurs in the name', 'December']])
  const december = ['campaign id', idWith(list, /December/)] as const
  await worker.use('change a draft', [
    december,
    ['audience', { filter: { not: { tag: 'wholesale' } } }],
  ])
  const plan = await worker.use('plan a campaign', [december])
  const shows = [/"recipients":2/, /News, /]
  await ownersYes(place, plan, { shows, nothingYet })
  const order = await worker.use('send a campaign', [december, ['plan hash', plan['plan_hash']]])
  await approvedByOwner(place, order, { campaign_id, nothingYet })
  await completed(place, campaign_id)
  assert.deepEqual(await receivers(place), ['who-1@example.com', 'who-2@example.com'])
})

/** A campaign of which some recipients have their mail, and the others not yet. */
async function underWay(place: Workplace): Promise<string> {
  await place.subscribers(60)
  const { campaign_id } = await place.draft({ name: 'Prices' })
  await deployPlanned(place.owner, { campaign_id, throttle_per_minute: 240 })
  await eventually(
    () => lookAt(place, campaign_id),
    ({ counts }) => (counts['sent'] ?? 0) >= 5,
  )
  return campaign_id
}

job(4, async (place) => {
  const { worker, owner } = place
  const campaign_id = await underWay(place)
  const list = await worker.use('list campaigns', [['status', 'deployed']])
  const paused = await worker.use('pause a campaign', [['campaign id', idWith(list, /Prices/)]])
  assert.match(worker.plain(paused), /"status":"paused".*"sent":\d+.*"waiting":\d+/)
  assert.equal((await lookAt(place, campaign_id)).status, 'paused')
  await owner.get('campaign.cancel', { campaign_id })
})

job(5, async (place) => {
  const { worker, owner } = place
  const campaign_id = await underWay(place)
  await owner.get('campaign.pause', { campaign_id })
  const list = await worker.use('list campaigns', [['status', 'paused']])
  const wrong = ['campaign id', idWith(list, /Prices/)] as const
  const copy = await worker.use('copy a campaign', [wrong, ['not sent', true]])
  const right = ['campaign id', idOf(copy)] as const
  await worker.use('change a draft', [right, ['content', { html: '<p>It costs 12.</p>' }]])
  const plan = await worker.use('plan a campaign', [right])
  const sent = (await receivers(place)).length
  await ownersYes(place, plan, {
    shows: [new RegExp(`"recipients":${60 - sent}\\b`)],
    nothingYet: async () => assert.equal((await receivers(place)).length, sent),
  })
  await worker.use('send a campaign', [right, ['plan hash', plan['plan_hash']]])
  await eventually(
    () => receivers(place),
    (all) => all.length === 60,
  )
  assert.equal(new Set(await receivers(place)).size, 60)
  assert.notEqual((await lookAt(place, campaign_id)).status, 'deployed')
})

job(14, async (place) => {
  const { worker, owner, subscribers } = place
  await subscribers(2)
  const mail = (subject: string, html: string) => ({ send: { content: { subject, html } } })
  const series = await worker.use('save an automation', [
    ['name', 'Welcome'],
    ['enter', { on: 'consent.given' }],
    [
      'steps',
      [
        mail('Welcome', '<p>Hello.</p>'),
        { wait: '3 days' },
        mail('A present', '<p>Your code: SOAP5</p>'),
        { wait: '7 days' },
        mail('Our soaps', '<p>Have a look.</p>'),
      ],
    ],
  ])
  await ownersYes(place, series, {
    shows: [/"status":"draft"/],
    nothingYet: async () => assert.deepEqual(await receivers(place), []),
  })
  assert.match(worker.plain(await owner.get('sequence.list')), /Welcome/)
})

job(15, async ({ worker, owner }) => {
  await owner.get('contact.upsert', {
    email: 'a@example.com',
    attributes: { birthday: '1990-02-28' },
  })
  const card = await worker.use('save an automation', [
    ['name', 'Birthday card'],
    ['enter', { on: 'date', field: 'attributes.birthday', yearly: true }],
    [
      'steps',
      [
        { wait: '1 minute', until: '09:00' },
        { send: { content: { subject: 'Happy birthday', html: '<p>All the best.</p>' } } },
      ],
    ],
  ])
  assert.match(worker.plain(card), /"status":"draft"/)
  const fields = await worker.use('list fields')
  assert.match(worker.plain(fields), /birthday/)
})

job(16, async ({ worker }) => {
  const silent = {
    and: [
      { consent: 'email', is: 'subscribed' },
      { did_not: 'message.clicked', within: '365 days' },
      { did_not: 'order', within: '365 days' },
    ],
  }
  const segment = await worker.use('save a segment', [
    ['name', 'Silent'],
    ['filter', silent],
  ])
  const series = await worker.use('save an automation', [
    ['name', 'Win back'],
    ['enter', { on: 'segment.entered', segment_id: idOf(segment) }],
    ['exit', { did: 'message.clicked', within: '30 days' }],
    [
      'steps',
      [
        {
          send: {
            content: { subject: 'Still there?', html: '<p>Do you still want our news?</p>' },
          },
        },
        { wait: '14 days' },
        { unsubscribe: {} },
      ],
    ],
  ])
  assert.match(worker.plain(series), /"status":"draft"/)
})

job(17, async (place) => {
  const { worker, subscribers, draft, owner, businessId } = place
  await testbed.db.run(sql`update businesses set track_opens = true where id = ${businessId}`)
  await subscribers(3)
  const { campaign_id } = await draft({ name: 'Yesterday' })
  await deployPlanned(owner, { campaign_id })
  await completed(place, campaign_id)
  const list = await worker.use('list campaigns', [['occurs in the name', 'Yesterday']])
  const again = await worker.use('copy a campaign', [
    ['campaign id', idWith(list, /Yesterday/)],
    ['not opened', true],
  ])
  assert.match(worker.plain(again), /without loading images/)
  const copy = ['campaign id', idOf(again)] as const
  await worker.use('change a draft', [copy, ['content', { subject: 'Did you see this?' }]])
  const plan = await worker.use('plan a campaign', [copy])
  await ownersYes(place, plan, {
    shows: [/Did you see this/, /"recipients":3/],
    nothingYet: async () => assert.equal((await receivers(place)).length, 3),
  })
  await worker.use('send a campaign', [copy, ['plan hash', plan['plan_hash']]])
  await eventually(
    () => receivers(place),
    (all) => all.length === 6,
  )
})

job(18, async ({ worker, draft }) => {
  await draft({ name: 'Spring' })
  const list = await worker.use('list campaigns', [['occurs in the name', 'Spring']])
  const spring = ['campaign id', idWith(list, /Spring/)] as const
  const english = await worker.use('look at one campaign', [spring, ['content', true]])
  assert.match(worker.plain(english), /here is what is new/)
  const html = '<p>Hallo {{ contact.name | default: "du" }}, das ist neu.</p>'
  const both = await worker.use('change a draft', [
    spring,
    ['content', { translations: { de: { subject: 'Neues, {{ contact.name }}', html } } }],
  ])
  assert.match(worker.plain(both), /"status":"draft"/)
})

job(19, async ({ worker, owner }) => {
  for (const [i, city] of ['Zürich', 'Genf', 'Bern'].entries()) {
    await owner.get('contact.upsert', {
      email: `who-${i}@example.com`,
      attributes: { city },
      consent: { email: yes },
    })
  }
  for (const [city, day] of [
    ['Zürich', '12.12.'],
    ['Genf', '19.12.'],
  ]) {
    const made = await worker.use('make a campaign', [
      ['by which channel', 'email'],
      ['content', { subject: `See you on ${day}`, html: `<p>We meet on ${day}</p>` }],
      ['audience', { filter: { field: 'attributes.city', op: 'is', value: city } }],
    ])
    const plan = await worker.use('plan a campaign', [['campaign id', idOf(made)]])
    assert.match(worker.plain(plan), /"recipients":1/)
  }
})

job(20, async (place) => {
  const { worker, owner, draft, subscribers } = place
  await subscribers(1)
  const { campaign_id } = await draft({
    name: 'Tomorrow',
    content: { subject: 'On Thurdsay', html: '<p>We open on Thurdsay.</p>' },
  })
  const at = new Date(Date.now() + 86_400_000).toISOString()
  await deployPlanned(owner, { campaign_id, send_at: at })
  const list = await worker.use('list campaigns', [['status', 'scheduled']])
  const id = ['campaign id', idWith(list, /Tomorrow/)] as const
  const draftAgain = await worker.use('unschedule a campaign', [id])
  assert.match(worker.plain(draftAgain), /"status":"draft"/)
  const content = { subject: 'On Thursday', html: '<p>We open on Thursday.</p>' }
  await worker.use('change a draft', [id, ['content', content]])
  const plan = await worker.use('plan a campaign', [id])
  const planned = await worker.use('send a campaign', [
    id,
    ['plan hash', plan['plan_hash']],
    ['send at', at],
  ])
  assert.match(worker.plain(planned), /"schedule":\{"at":"20.*"zone"/)
})

job(24, async ({ worker, owner }) => {
  for (const i of [1, 2, 3]) {
    await owner.get('contact.upsert', {
      email: `who-${i}@example.com`,
      ...(i < 3 && { phone: `+4179555010${i}`, consent: { sms: yes } }),
      tags: ['course'],
    })
  }
  const made = await worker.use('make a campaign', [
    ['by which channel', 'sms'],
    ['content', { text: 'Oak & Twine: the course starts at 6 tonight, not 7.' }],
    ['audience', { tags: ['course'] }],
  ])
  const plan = await worker.use('plan a campaign', [['campaign id', idOf(made)]])
  assert.match(worker.plain(plan), /"recipients":2.*"cost"/)
  const without = await worker.use('explain a recipient', [
    ['campaign id', idOf(made)],
    ['status', 'would_be_skipped'],
  ])
  assert.match(worker.plain(without), /con_/)
})

job(29, async (place) => {
  const { worker, owner, draft, subscribers } = place
  await subscribers(2)
  for (const name of ['Spring', 'Autumn']) {
    const { campaign_id } = await draft({ name })
    await deployPlanned(owner, { campaign_id })
    await completed(place, campaign_id)
  }
  const list = await worker.use('list campaigns', [
    ['goes out or went out then', '2026-01-01T00:00:00Z'],
  ])
  const compared = await worker.use('compare campaigns', [
    ['campaign ids', [idWith(list, /Spring/), idWith(list, /Autumn/)]],
  ])
  assert.match(worker.plain(compared), /revenue/)
})
