/**
 * Deliveries of the whole service to the receivers in other languages: an event, a rotation with
 * and without a grace period, a requested test.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import { languages, type ReceiverProcess, startReceiver, whyMissing } from './receiver-process.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ settings: { OUTBOUND_ALLOW: '127.0.0.0/8:*' } })
})
after(() => testbed.close())

interface Secret {
  signing_secret: string
}

for (const language of languages) {
  describe(`deliveries as seen by a receiver in ${language.name}`, {
    skip: whyMissing(language),
  }, () => {
    const receivers: ReceiverProcess[] = []
    let owner: ToolCaller
    let webhook_id: string
    let people = 0
    after(() => Promise.all(receivers.map((receiver) => receiver.stop())))

    async function receiverWith(secret: string): Promise<ReceiverProcess> {
      const receiver = await startReceiver(language, secret)
      receivers.push(receiver)
      return receiver
    }

    /** Points the webhook to that receiver, causes an event, and returns the receiver's verdict. */
    async function delivered(receiver: ReceiverProcess) {
      await owner.get('webhook.save', { webhook_id, url: receiver.url })
      await receiver.set({ now: new Date(), status: 200 })
      await owner.get('contact.upsert', { email: `p${++people}@example.com` })
      return receiver.verdict()
    }

    test('an event is delivered as the contract describes', async () => {
      owner = await testbed.caller({ businesses: [await testbed.newBusiness()] })
      const url = 'http://127.0.0.1:9/'
      const made = await owner.get<Secret & { webhook_id: string }>('webhook.save', {
        url,
        events: ['contact.created'],
      })
      webhook_id = made.webhook_id
      const receiver = await receiverWith(made.signing_secret)
      const { refused, id, signatures } = await delivered(receiver)
      assert.deepEqual([refused, signatures], [undefined, 1])
      const { events } = await owner.get<{ events: { id: string }[] }>('meta.changes')
      assert.equal(id, events.at(-1)?.id)
    })

    test('in a grace period a receiver with the old or the new secret accepts the delivery', async () => {
      const [old] = receivers
      const rotated = await owner.get<Secret>('webhook.rotate', {
        webhook_id,
        grace_period_seconds: 600,
      })
      const renewed = await receiverWith(rotated.signing_secret)
      for (const receiver of [old ?? assert.fail(), renewed]) {
        const { refused, signatures } = await delivered(receiver)
        assert.deepEqual([refused, signatures], [undefined, 2])
      }
    })

    test('without a grace period only the new secret is valid, from the next delivery on', async () => {
      const [, before] = receivers
      const rotated = await owner.get<Secret>('webhook.rotate', { webhook_id })
      assert.equal((await delivered(before ?? assert.fail())).refused, 'signature')
      const { refused, signatures } = await delivered(await receiverWith(rotated.signing_secret))
      assert.deepEqual([refused, signatures], [undefined, 1])
    })

    test('a requested test is a delivery like any other', async () => {
      const receiver = receivers.at(-1) ?? assert.fail()
      await receiver.set({ now: new Date(), status: 200 })
      const asked = await owner.get<{ delivery_id: string }>('webhook.test', {
        webhook_id,
        type: 'form.submitted',
      })
      const { refused, delivery } = await receiver.verdict()
      assert.deepEqual([refused, delivery], [undefined, asked.delivery_id])
    })
  })
}
