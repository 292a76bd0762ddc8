import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  manyContacts,
  sendOff,
  standings,
} from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  countsOf,
  draftTo,
  type Running,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import { sinkTestbed } from '../../../../tests/support/mail/sink-testbed.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { suppress } from '../../contacts/suppressions/suppression.ts'
import { sql } from '../../lib/db/db.ts'

const bench = sinkTestbed('?pool=4&rate=60&warmup=no')
const { skip } = bench

/** The last of the frozen recipients, once the audience is frozen. */
async function lastOf({ businessId, campaignId }: Running, count: number) {
  await eventually(
    () => standings({ campaignId, db: bench.testbed.db } as Running),
    (now) => Object.values(now).reduce((sum, n) => sum + n, 0) > 0,
  )
  return bench.testbed.db.all<{ id: string; email: string }>(sql`
    select id, email from contacts where business_id = ${businessId} order by id desc
    limit ${count}
  `)
}

test('a recipient who opts out between freeze and send is not sent to, and the reason is recorded', {
  skip,
}, async () => {
  const running = await draftTo(bench.testbed, 200)
  const planned = await running.scene.owner.get<{ recipients: number }>('campaign.preview', {
    campaign_id: running.name,
  })
  await sendOff(running)
  const [left, erased, angry, bounced] = await lastOf(running, 4)
  assert.ok(left && erased && angry && bounced)
  const { businessId } = running
  const no = { email: { status: 'unsubscribed', source: 'told us' } }
  await running.scene.contact({ email: left.email, consent: no })
  const why = { businessId, channel: 'email' as const, source: 'a test' }
  await bench.testbed.db.tx(async (tx) => {
    const { hmac } = bench.testbed.service.vault
    const listed = [
      { ...why, address: angry.email, reason: 'complaint' as const },
      { ...why, address: bounced.email, reason: 'bounce' as const },
    ]
    await suppress(tx, hmac, listed, new Date())
    await tx.run(sql`delete from contacts where business_id = ${businessId} and id = ${erased.id}`)
  })
  // Contacts added after the freeze are not part of the audience.
  await manyContacts(bench.testbed.db, businessId, 25)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  const ended = {
    sent: 196,
    'skipped:erased': 1,
    'skipped:invalid': 1,
    'skipped:suppressed': 1,
    'skipped:unsubscribed': 1,
  }
  assert.deepEqual(await standings(running), ended)
  assert.deepEqual(await countsOf(running), ended)
  const all = Object.values(ended).reduce((sum, n) => sum + n, 0)
  assert.equal(all, planned.recipients)
})

test('recipients beyond the tier’s quota are not sent to, as the plan said', { skip }, async () => {
  const running = await draftTo(bench.testbed, 30)
  const { businessId } = running
  await bench.testbed.db.run(sql`update businesses set tier = 'free' where id = ${businessId}`)
  await bench.testbed.db.run(sql`
    insert into usage_months (business_id, metric, month, amount)
    values (${businessId}, 'emails', date_trunc('month', ${new Date()}::timestamptz at time zone 'utc')::date, 980)
  `)
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), { sent: 20, 'skipped:tier_quota': 10 })
})
