/** Whether messages carry open and click tracking, and how a business or a message disables it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertBusiness } from 'crier-server/accounts/businesses/queries.ts'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import { formatId, newId } from 'crier-server/core/ids.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { newPerson } from '../support/clients/sign-in.ts'
import { eventually } from '../support/time/eventually.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

const html = '<p><a href="https://shop.test/">Shop</a></p>'

/** The HTML in the inbox of a message sent with these settings. */
async function arrived(message: object, settings: Record<string, string> = {}): Promise<string> {
  const businessId = await testbed.newBusiness()
  for (const [key, value] of Object.entries(settings)) {
    await setBusiness(testbed.db, businessId, { key, value, now: new Date() })
  }
  const owner = await testbed.caller({ businesses: [businessId] })
  const to = newPerson()
  await owner.get('email.send', { to, subject: 'News', html, ...message })
  const listing = `${testbed.service.url}/inbox/messages?to=${encodeURIComponent(to)}`
  const { messages } = await eventually(
    async () => (await (await fetch(listing)).json()) as { messages: { html: string }[] },
    (shown) => shown.messages.length > 0,
  )
  return messages[0]?.html ?? ''
}

const carries = (page: string) => [/\/o\/[\w-]{59}/.test(page), /\/c\/[\w-]{82}/.test(page)]

test('opens and clicks of transactional mail are tracked only where the business asks for it', async () => {
  assert.deepEqual(carries(await arrived({}, { track_transactional: 'no' })), [false, false])
  const id = newId('business')
  await insertBusiness(testbed.db, {
    id,
    name: 'New',
    tier: 'scale',
    deployLimit: 0,
    now: new Date(),
  })
  const owner = await testbed.caller({ businesses: [id] })
  const offIn = async () => {
    const { events } = await owner.get<{
      events: { type: string; settings?: string[]; off_in?: object[] }[]
    }>('meta.capabilities', {})
    return events.filter(({ settings }) => settings).map(({ type, off_in }) => [type, off_in])
  }
  const off = [{ business_id: formatId('business', id), settings: ['track_transactional'] }]
  assert.deepEqual(await offIn(), [
    ['message.opened', off],
    ['message.clicked', off],
  ])
  await owner.get('business.save', { track_transactional: true })
  assert.deepEqual(await offIn(), [
    ['message.opened', undefined],
    ['message.clicked', undefined],
  ])
})

test('opens and clicks are tracked by default', async () => {
  assert.deepEqual(carries(await arrived({})), [true, true])
})

test('a message can turn off the tracking of opens or of clicks', async () => {
  assert.deepEqual(carries(await arrived({ track_opens: false })), [false, true])
  assert.deepEqual(carries(await arrived({ track_clicks: false })), [true, false])
})

test('a message cannot turn on tracking that its business has turned off', async () => {
  const off = { track_opens: 'no', track_clicks: 'no' }
  const page = await arrived({ track_opens: true, track_clicks: true }, off)
  assert.deepEqual(carries(page), [false, false])
  assert.ok(page.includes('href="https://shop.test/"'))
})
