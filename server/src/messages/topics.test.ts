/** Marketing about a topic, by single calls and batches: who gets it, and what its link leaves. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { draftTo } from '../../../tests/support/businesses/campaign-runs.ts'
import { yes } from '../../../tests/support/businesses/campaigns.ts'
import { inboxOf } from '../../../tests/support/clients/sign-in.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { formatId } from '../core/ids.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

interface Sent {
  message_id: string
  duplicate?: boolean
}

const words = { subject: 'Spring', text: 'A word on spring.', kind: 'marketing' }

let businesses = 0
/** A business with the topics News and Offers, and its own domain of addresses. */
async function business() {
  const { scene } = await draftTo(testbed, 0)
  await scene.owner.get('topic.save', { topic: 'news', name: 'News' })
  await scene.owner.get('topic.save', { topic: 'offers', name: 'Offers' })
  businesses += 1
  const domain = `topics-${businesses}.example`
  return { ...scene, address: (who: string) => `${who}@${domain}` }
}

test('marketing about a topic goes to contacts who chose the topic or who chose no topics', async () => {
  const { owner, contact, refused, address } = await business()
  await contact({ email: address('all'), consent: { email: yes } })
  await contact({ email: address('news'), consent: { email: { ...yes, topics: ['news'] } } })
  await contact({ email: address('offers'), consent: { email: { ...yes, topics: ['offers'] } } })
  for (const who of ['all', 'news']) {
    const sent = await owner.get<Sent>('email.send', { to: address(who), ...words, topic: 'news' })
    const shown = await owner.get<{ topic?: string }>('message.get', {
      message_id: sent.message_id,
    })
    assert.equal(shown.topic, 'news')
  }
  const none = await refused('email.send', { to: address('offers'), ...words, topic: 'news' })
  assert.equal(none.code, 'conflict')
  assert.match(none.message, /not to the topic news/)
  const general = await refused('email.send', { to: address('news'), ...words })
  assert.match(general.message, /name the topic of the message/)
  const { results } = await owner.get<{ results: { error?: { code: string } }[] }>(
    'email.send_batch',
    {
      messages: ['all', 'news', 'offers'].map((who) => ({
        to: address(who),
        ...words,
        subject: 'Summer',
        topic: 'news',
      })),
    },
  )
  assert.deepEqual(
    results.map(({ error }) => error?.code),
    [undefined, undefined, 'conflict'],
  )
})

test('the unsubscribe link in a mail about a topic unsubscribes from that topic only', async () => {
  const { owner, contact, address } = await business()
  const to = address('leaves')
  const id = await contact({ email: to, consent: { email: yes } })
  await owner.get('email.send', { to, ...words, topic: 'offers' })
  const [mail] = await eventually(
    () => inboxOf(testbed.service.url, to),
    ({ length }) => length > 0,
  )
  const link = mail?.links.find((text) => text.includes('/u/')) ?? ''
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  assert.equal((await fetch(link, { method: 'POST', body })).status, 200)
  const shown = await owner.get<{
    topics: { email: object }
    consent: { email: { status: string } }
  }>('contact.get', { contact_id: formatId('contact', id) })
  assert.deepEqual(
    [shown.consent.email.status, shown.topics.email],
    ['subscribed', { offers: 'unsubscribed' }],
  )
  await owner.get('email.send', { to, ...words, topic: 'news' })
})

test('the same mail about another topic is another message', async () => {
  const { owner, contact, address } = await business()
  const to = address('twice')
  await contact({ email: to, consent: { email: yes } })
  const send = (topic: string) => owner.get<Sent>('email.send', { to, ...words, topic })
  const first = await send('news')
  const again = await send('news')
  assert.deepEqual([again.message_id, again.duplicate], [first.message_id, true])
  assert.equal((await send('offers')).duplicate, undefined)
})

test('a topic must exist and can be used only with marketing', async () => {
  const { owner, contact, refused, address } = await business()
  const to = address('any')
  await contact({ email: to, consent: { email: yes } })
  const unknown = await refused('email.send', { to, ...words, topic: 'gone' })
  assert.deepEqual([unknown.code, unknown.field], ['not_found', 'topic'])
  const receipt = { to, ...words, kind: 'transactional', topic: 'news' }
  assert.equal((await refused('email.send', receipt)).field, 'topic')
  const text = { to: '+33612345678', text: 'Spring', topic: 'news' }
  assert.equal((await refused('sms.send', text)).field, 'topic')
  await owner.get('topic.save', { topic: 'news', archived: true })
  const archived = await refused('email.send', { to, ...words, topic: 'news' })
  assert.equal(archived.code, 'conflict')
})
