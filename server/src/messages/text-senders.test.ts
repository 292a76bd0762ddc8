import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SenderProfile } from '../accounts/businesses/business.ts'
import { isRefusal } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { createTextSenders } from './texting.ts'

const senderProfile: SenderProfile = {
  name: 'A shop',
  postalAddress: null,
  sender: null,
  smsSender: null,
  language: 'en',
  timeZone: 'UTC',
  trackOpens: true,
  trackTransactional: true,
  tracking: 'everyone',
  trackClicks: true,
}

const senderWith = (smsSender: string | null, from: string | undefined, isNeeded = false) =>
  createTextSenders({
    senderProfileOf: async () => ({ ...senderProfile, smsSender }),
    from,
    isNeeded,
  }).textSenderOf(newId('business'))

test("a business's own sender takes precedence over the installation's", async () => {
  assert.deepEqual(await senderWith('12345', '+33612345678'), { from: '12345', marketing: true })
  assert.deepEqual(await senderWith(null, '+33612345678'), {
    from: '+33612345678',
    marketing: true,
  })
  assert.deepEqual(await senderWith(null, undefined), { from: undefined, marketing: true })
})

test('without any sender, a text whose provider needs one is refused before it is queued', async () => {
  const refused = await senderWith(null, undefined, true)
  assert.ok(isRefusal(refused))
  assert.match(refused.message, /An owner of the business sets it/)
})

test('a named sender may send only transactional texts, because recipients cannot answer it STOP', async () => {
  const sender = await senderWith('Shop', undefined)
  assert.ok(!isRefusal(sender) && sender.from === 'Shop')
  assert.ok(isRefusal(sender.marketing) && /STOP/.test(sender.marketing.message))
})
