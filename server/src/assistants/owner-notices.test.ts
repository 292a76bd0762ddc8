import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { newMember } from '../../../tests/support/clients/grants.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { quietRemovals } from '../events/audit.ts'

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
  const [link = ''] = /http\S+\/press\/\S+/.exec(told?.text ?? '') ?? []
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

test('many erasures in an hour are told of once', async () => {
  const { boss, mail, mails } = await scene()
  for (let n = 0; n < quietRemovals + 2; n++) {
    const email = `gone-${n}@example.com`
    const { contact_id } = await boss.get<{ contact_id: string }>('contact.upsert', { email })
    if (n === quietRemovals) assert.deepEqual(await mails(/erased/), [])
    await boss.get('contact.erase', { contact_id })
  }
  assert.match((await mail(/erased/))[0]?.text ?? '', /21 people/)
  await boss.get('export.create', { kind: 'contacts' })
  await mail(/exported/)
  assert.equal((await mails(/erased/)).length, 1)
})
