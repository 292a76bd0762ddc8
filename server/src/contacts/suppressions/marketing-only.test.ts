/** A complaint ends marketing but no receipts; a hard bounce ends both. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import type { Id } from '../../core/ids.ts'
import { listInbox } from '../../core/inbox/mail-queries.ts'
import { type SuppressionReason, suppress } from './suppression.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

const mail = { subject: 'Your receipt', text: 'Thank you.' }

function listed(businessId: Id<'business'>, address: string, reason: SuppressionReason) {
  const one = { businessId, channel: 'email', address, reason, source: 'a test' } as const
  return testbed.db.tx((tx) => suppress(tx, testbed.service.vault.hmac, [one], new Date()))
}

test('after a complaint a receipt is still delivered, and after a bounce it is not', async () => {
  const { businessId, owner } = await testbed.someone('scale')
  const to = 'complained@example.com'
  await owner.get('contact.upsert', {
    email: to,
    consent: { email: { status: 'subscribed', source: 'a test' } },
  })
  await listed(businessId, to, 'complaint')
  const marketing = await owner.call('email.send', { to, ...mail, kind: 'marketing' })
  assert.equal(marketing.kind, 'refusal')
  await owner.get('email.send', { to, ...mail })
  const arrived = await eventually(
    () => listInbox(testbed.db, to, 10),
    (all) => all.length > 0,
  )
  assert.equal(arrived[0]?.subject, mail.subject)
  await listed(businessId, to, 'bounce')
  const after = await owner.call('email.send', { to, ...mail, subject: 'Another' })
  assert.equal(after.kind, 'refusal')
  assert.match(after.text, /bounce/)
})
