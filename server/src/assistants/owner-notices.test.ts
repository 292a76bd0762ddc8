import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { newMember } from '../../../tests/support/clients/grants.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { type NoticePayload, noticeJob, quietRemovals } from '../events/audit.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { systemClock } from '../lib/time/clock.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

interface Mail {
  subject: string
  text: string
}

async function scene() {
  const businessId = await testbed.newBusiness()
  const ownerId = await newMember(testbed.db, { businesses: [businessId] })
  const boss = await testbed.caller({ businesses: [businessId], userId: ownerId })
  const listing = `${testbed.service.url}/inbox/messages?to=${encodeURIComponent(`${ownerId}@example.com`)}`
  const mails = async (about: RegExp) => {
    const { messages } = (await (await fetch(listing)).json()) as { messages: Mail[] }
    return messages.filter(({ subject }) => about.test(subject))
  }
  return {
    businessId,
    boss,
    mails,
    mail: (about: RegExp) =>
      eventually(
        () => mails(about),
        (all) => all.length > 0,
      ),
  }
}

test('owners are told of each new webhook host, with one press to pause it, and of exports', async () => {
  const { boss, mail, mails } = await scene()
  const hook = { url: 'https://hooks.example.com/a', events: ['contact.created'] }
  const { webhook_id } = await boss.get<{ webhook_id: string }>('webhook.save', hook)
  const [told] = await mail(/hooks/)
  const links = told?.text.match(/http\S+\/press\/\S+/g) ?? []
  assert.equal(links.length, 2)
  const [link = '', stop = ''] = links
  assert.match(told?.text ?? '', /Stop all sending:\nhttp/)
  assert.match(await (await fetch(stop)).text(), /<h1>Stop all sending<\/h1>/)
  assert.equal((await fetch(link)).status, 200)
  const statusOf = async () =>
    (await boss.get<{ status: string }>('webhook.get', { webhook_id })).status
  assert.equal(await statusOf(), 'active')
  assert.equal((await fetch(link, { method: 'POST' })).status, 200)
  assert.equal(await statusOf(), 'paused')
  await boss.get('webhook.save', { ...hook, url: 'https://hooks.example.com/b' })
  await boss.get('export.create', { kind: 'contacts' })
  await mail(/exported/)
  assert.equal((await mails(/hooks/)).length, 1)
})

test('owners are told of a webhook whose receiver fails, with what it answers', async () => {
  const { businessId, mail } = await scene()
  const payload: NoticePayload = {
    kind: 'failing',
    subject: 'crm.example.com',
    detail: '410',
    business_id: businessId,
    user_id: null,
    connection_id: null,
  }
  await testbed.db.tx((tx) => {
    return enqueue(tx, [{ kind: noticeJob, businessId, payload }], systemClock.now())
  })
  const [told] = await mail(/do not reach crm/)
  assert.match(told?.text ?? '', /The last attempt was answered with 410\./)
  assert.match(told?.text ?? '', /\/b\/bus_\w+\/webhooks/)
})

test('many erasures in an hour are told of once', async () => {
  const { businessId, boss, mail, mails } = await scene()
  const person = await testbed.appCaller({ businesses: [businessId] })
  for (let n = 0; n < quietRemovals + 2; n++) {
    const email = `gone-${n}@example.com`
    const { contact_id } = await boss.get<{ contact_id: string }>('contact.upsert', { email })
    if (n === quietRemovals) assert.deepEqual(await mails(/erased/), [])
    await person.get('contact.erase', { contact_id })
  }
  assert.match((await mail(/erased/))[0]?.text ?? '', /21 people/)
  await boss.get('export.create', { kind: 'contacts' })
  await mail(/exported/)
  assert.equal((await mails(/erased/)).length, 1)
})
