/** A campaign about a topic: who gets it by their consent, and its link for that topic alone. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { sendOff, standings } from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  draftTo,
  type Running,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import { deployPlanned, yes } from '../../../../tests/support/businesses/campaigns.ts'
import { inboxOf } from '../../../../tests/support/clients/sign-in.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { ShiftedClock } from '../../../../tests/support/time/shifted-clock.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { days, minutes } from '../../lib/time/clock.ts'

const clock = new ShiftedClock()
let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ clock })
})
after(() => testbed.close())

interface Plan {
  recipients: number
  excluded: { reason: string; count: number }[]
  plan_hash: string
}

interface Shown {
  topics: { email: Record<string, string> }
  consent: { email: { status: string; history: { topic: string | null; source: string }[] } }
}

const planOf = ({ name, scene }: Running) =>
  scene.owner.get<Plan>('campaign.preview', { campaign_id: name })
const shown = ({ scene }: Running, id: Id<'contact'>) =>
  scene.owner.get<Shown>('contact.get', { contact_id: formatId('contact', id) })

let people = 0
/** One contact for each possible consent to the topics News and Offers. */
async function audience(topic?: string) {
  const running = await draftTo(testbed, 0)
  const { owner, contact } = running.scene
  await owner.get('topic.save', { topic: 'news', name: 'News' })
  await owner.get('topic.save', { topic: 'offers', name: 'Offers' })
  if (topic) await owner.get('campaign.save', { campaign_id: running.name, topic })
  people += 1
  const add = (who: string, consent?: object) =>
    contact({ email: `${who}-${people}@example.com`, ...(consent && { consent }) })
  const general = await add('general', { email: yes })
  const news = await add('news', { email: { ...yes, topics: ['news'] } })
  const both = await add('both', { email: { ...yes, topics: ['news', 'offers'] } })
  const offers = await add('offers', { email: { ...yes, topics: ['offers'] } })
  const left = await add('left', { email: yes })
  const no = { status: 'unsubscribed', source: 'told us', topics: ['news'] }
  await contact({ email: `left-${people}@example.com`, consent: { email: no } })
  const silent = await add('silent')
  return {
    running,
    general,
    news,
    both,
    offers,
    left,
    silent,
    address: (who: string) => `${who}-${people}@example.com`,
  }
}

test('the preview, the freeze and why agree about every contact of a topic', async () => {
  const { running, general, news, both, offers, left, silent } = await audience('news')
  const plan = await planOf(running)
  assert.equal(plan.recipients, 3)
  assert.deepEqual(Object.fromEntries(plan.excluded.map(({ reason, count }) => [reason, count])), {
    topic_not_chosen: 2,
    not_subscribed: 1,
  })
  const why = async (id: Id<'contact'>) => {
    const asked = { campaign_id: running.name, contact_id: formatId('contact', id) }
    const answer = await running.scene.owner.get<{
      recipients: { status: string; reason: string | null }[]
      evidence: { consent: { topic: string } }
    }>('campaign.why', asked)
    return [answer.recipients[0]?.reason ?? null, answer.evidence.consent.topic]
  }
  const expected = [
    [general, null, 'none'],
    [news, null, 'subscribed'],
    [both, null, 'subscribed'],
    [offers, 'topic_not_chosen', 'none'],
    [left, 'topic_not_chosen', 'unsubscribed'],
    [silent, 'not_subscribed', 'none'],
  ] as const
  for (const [id, ...said] of expected) assert.deepEqual(await why(id), said)
  await sendOff(running)
  await awaitState(running, 'completed')
  assert.deepEqual(await standings(running), {
    sent: 3,
    'skipped:topic_not_chosen': 2,
    'skipped:not_subscribed': 1,
  })
  for (const [id, ...said] of expected) assert.deepEqual(await why(id), said)
})

test('a campaign without a topic goes only to contacts who have chosen no topic', async () => {
  const { running } = await audience()
  const plan = await planOf(running)
  assert.equal(plan.recipients, 2)
  assert.deepEqual(Object.fromEntries(plan.excluded.map(({ reason, count }) => [reason, count])), {
    topic_not_chosen: 3,
    not_subscribed: 1,
  })
})

test('a plan is bound to its topic, and an unknown topic is refused', async () => {
  const { running } = await audience('news')
  const { owner, refused } = running.scene
  const campaign_id = running.name
  const { plan_hash } = await planOf(running)
  await owner.get('campaign.save', { campaign_id, topic: 'offers' })
  const drifted = await refused('campaign.deploy', { campaign_id, plan_hash })
  assert.match(drifted.message, /audience was changed/)
  assert.equal((await refused('campaign.save', { campaign_id, topic: 'gone' })).code, 'not_found')
  await owner.get('topic.save', { topic: 'news', archived: true })
  assert.equal((await refused('campaign.save', { campaign_id, topic: 'news' })).code, 'conflict')
  const cleared = await owner.get<{ topic: string | null }>('campaign.save', {
    campaign_id,
    topic: '',
  })
  assert.equal(cleared.topic, null)
})

test('a topic cannot be archived while a campaign about it is under way', async () => {
  const { running } = await audience('news')
  await deployPlanned(running.scene.owner, {
    campaign_id: running.name,
    send_at: new Date(Date.now() + 86_400_000).toISOString(),
  })
  const { code, used_by } = await running.scene.refused('topic.save', {
    topic: 'news',
    archived: true,
  })
  assert.deepEqual([code, used_by], ['conflict', [running.name]])
})

test('the one-click link unsubscribes from the topic only, by POST and not by GET', async () => {
  const { running, both, general, news, address } = await audience('news')
  await sendOff(running)
  await awaitState(running, 'completed')
  const wayOf = async (who: string) => {
    const [mail] = await eventually(
      () => inboxOf(testbed.service.url, address(who)),
      ({ length }) => length > 0,
    )
    return mail?.links.find((link) => link.includes('/u/')) ?? ''
  }
  const post = async (url: string, body: Record<string, string>) => {
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(body) })
    return { status: answer.status, text: await answer.text() }
  }
  const oneClick = { 'List-Unsubscribe': 'One-Click' }
  const way = await wayOf('both')
  for (let n = 0; n < 3; n++) assert.equal((await fetch(way)).status, 200)
  assert.deepEqual((await shown(running, both)).topics.email, {
    news: 'subscribed',
    offers: 'subscribed',
  })
  for (let n = 0; n < 3; n++) {
    const { status, text } = await post(way, oneClick)
    assert.equal(status, 200)
    assert.match(text, /no more emails about \u2068News\u2069/)
    assert.match(text, /Unsubscribe from everything/)
  }
  const after = await shown(running, both)
  assert.deepEqual(after.topics.email, { news: 'unsubscribed', offers: 'subscribed' })
  assert.equal(after.consent.email.status, 'subscribed')
  const said = after.consent.email.history.filter(({ topic }) => topic === 'news')
  assert.equal(said.length, 2, 'asking again says nothing new')
  assert.match(said[0]?.source ?? '', /^one-click unsubscribe, msg_/)
  // People with general consent still get the rest; people who agreed to News alone get nothing.
  await post(await wayOf('general'), oneClick)
  const rest = await shown(running, general)
  assert.deepEqual(
    [rest.consent.email.status, rest.topics.email],
    ['subscribed', { news: 'unsubscribed' }],
  )
  await post(await wayOf('news'), oneClick)
  const none = await shown(running, news)
  assert.deepEqual(
    [none.consent.email.status, none.topics.email],
    ['unsubscribed', { news: 'unsubscribed' }],
  )
  await post(way, { ...oneClick, page: 'yes', everything: 'yes' })
  assert.equal((await shown(running, both)).consent.email.status, 'unsubscribed')
})

test('an unsubscription from a topic just before the send is respected for queued recipients', async () => {
  const { running, news, general } = await audience('news')
  const { owner, contact } = running.scene
  await deployPlanned(owner, {
    campaign_id: running.name,
    send_at: new Date(clock.now().getTime() + minutes(5)).toISOString(),
  })
  void news
  const no = { status: 'unsubscribed', source: 'told us', topics: ['news'] }
  await contact({ email: `general-${people}@example.com`, consent: { email: no } })
  clock.forward(minutes(5))
  await awaitState(running, 'completed')
  assert.deepEqual(await standings(running), {
    sent: 2,
    'skipped:topic_not_chosen': 3,
    'skipped:not_subscribed': 1,
  })
  assert.equal((await shown(running, general)).consent.email.status, 'subscribed')
})

test('of two campaigns at once each person gets one where one is the cap, and a gap only delays', async () => {
  const { running } = await audience()
  const { owner, draft } = running.scene
  const another = async (): Promise<Running> => {
    const { campaign_id: name } = await draft()
    const campaignId = parseId('campaign', name)
    assert.ok(campaignId)
    return { ...running, name, campaignId }
  }
  await owner.get('business.save', { attention: { max: 1, per: '7 days' } })
  const second = await another()
  assert.equal((await planOf(second)).recipients, 2)
  await Promise.all([sendOff(running), sendOff(second)])
  await Promise.all([awaitState(running, 'completed'), awaitState(second, 'completed')])
  const all = [await standings(running), await standings(second)]
  const sum = (key: string) => all.reduce((total, counts) => total + (counts[key] ?? 0), 0)
  assert.deepEqual([sum('sent'), sum('skipped:capped')], [2, 2])

  const third = await another()
  const plan = await planOf(third)
  const capped = plan.excluded.find(({ reason }) => reason === 'capped')
  assert.deepEqual([plan.recipients, capped?.count], [0, 2])
  const loosened = await running.scene.refused('business.save', {
    attention: { max: 9, per: '7 days' },
  })
  assert.deepEqual([loosened.code, loosened['field']], ['role_required', 'attention'])
  await testbed.db.run(sql`
    update messages set queued_at = queued_at - interval '7 days'
    where business_id = ${running.businessId}
  `)
  assert.equal((await planOf(third)).recipients, 2)

  const gap = JSON.stringify({ max: 9, per: '7 days', gap: '24 hours' })
  const setting = { key: 'attention', value: gap, now: clock.now() }
  await setBusiness(testbed.db, running.businessId, setting)
  await sendOff(third)
  await awaitState(third, 'completed')
  const last = await another()
  await sendOff(last)
  await eventually(
    async () => {
      const { n } = await testbed.db.one<{ n: number }>(sql`
        select count(*)::int as n from campaign_recipients
        where campaign_id = ${last.campaignId} and state = 'pending' and reason = 'gap'
      `)
      return n
    },
    (n) => n === 2,
  )
  const { waits } = await owner.get<{ waits?: { for: string; until: string } }>('campaign.get', {
    campaign_id: last.name,
  })
  assert.equal(waits?.for, 'gap')
  const untilNext = Date.parse(waits?.until ?? '') - clock.now().getTime()
  assert.ok(untilNext > 0 && untilNext <= days(1), `${untilNext} ms`)
  clock.forward(days(1))
  await awaitState(last, 'completed')
  assert.equal((await standings(last))['sent'], 2)
})
