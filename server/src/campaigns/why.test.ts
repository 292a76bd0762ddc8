import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { sendOff } from '../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  draftTo,
  type Running,
} from '../../../tests/support/businesses/campaign-runs.ts'
import { yes } from '../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { suppress } from '../contacts/suppressions/suppression.ts'
import { formatId, type Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({})
})
after(() => testbed.close())

interface Answer {
  recipients: {
    contact_id: string
    status: string
    reason: string | null
    clause: string | null
    message_id: string | null
    why: string
    untrusted?: { address: string | null; name: string | null }
  }[]
  evidence?: {
    consent: { status: string; source: string | null }
    suppression: { reason: string; source: string } | null
    events: { type: string }[]
  }
  next_cursor?: string
}

async function whyOf({ name, scene }: Running, id: Id<'contact'>) {
  const contact_id = formatId('contact', id)
  const answer = await scene.owner.get<Answer>('campaign.why', { campaign_id: name, contact_id })
  const [recipient] = answer.recipients
  assert.ok(recipient && answer.evidence)
  assert.equal(recipient.contact_id, contact_id)
  return { ...recipient, ...answer.evidence }
}

test('before the freeze, why says whether a contact would be sent the campaign, with the reason', async () => {
  const running = await draftTo(testbed, 0, { audience: { tags: ['vip'] } })
  const { contact } = running.scene
  const vip = { tags: ['vip'], consent: { email: yes } }
  const fits = await whyOf(running, await contact({ email: 'a@example.com', ...vip }))
  assert.deepEqual([fits.status, fits.clause, fits.reason], ['would_get', 'tag vip', null])
  const silent = await whyOf(running, await contact({ email: 'b@example.com', tags: ['vip'] }))
  assert.deepEqual([silent.status, silent.reason], ['would_be_skipped', 'not_subscribed'])
  assert.match(silent.why, /would not get it\. It is not subscribed to this channel: /)
  const other = await whyOf(
    running,
    await contact({ email: 'c@example.com', consent: { email: yes } }),
  )
  assert.equal(other.status, 'not_in_audience')
  const listed = async (more: object) => {
    const query = { campaign_id: running.name, ...more }
    const { recipients, next_cursor } = await running.scene.owner.get<Answer>('campaign.why', query)
    const shown = recipients.map(({ status, untrusted }) => [status, untrusted?.address])
    return { shown, next_cursor }
  }
  const gets = ['would_get', 'a@example.com']
  const skipped = ['would_be_skipped', 'b@example.com']
  assert.deepEqual((await listed({})).shown, [skipped, gets])
  assert.deepEqual((await listed({ status: 'would_get' })).shown, [gets])
  assert.deepEqual((await listed({ status: 'would_be_skipped' })).shown, [skipped])
  assert.deepEqual((await listed({ status: 'sent' })).shown, [])
  const first = await listed({ limit: 1 })
  assert.deepEqual(first.shown, [skipped])
  assert.deepEqual(await listed({ limit: 1, cursor: first.next_cursor }), {
    shown: [gets],
    next_cursor: undefined,
  })
})

test('after the run, why gives each recipient’s reason, consent, suppression and remote server reply', async () => {
  const running = await draftTo(testbed, 3)
  const { contact } = running.scene
  const { businessId } = running
  const got = await contact({ email: 'got@example.com', consent: { email: yes } })
  const mute = await contact({ email: 'mute@example.com' })
  const angry = await contact({ email: 'angry@example.com', consent: { email: yes } })
  await testbed.db.tx((tx) =>
    suppress(
      tx,
      testbed.service.vault.hmac,
      [
        {
          businessId,
          channel: 'email',
          address: 'angry@example.com',
          reason: 'complaint',
          source: 'a report',
        },
      ],
      new Date(),
    ),
  )
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  const late = await contact({ email: 'late@example.com', consent: { email: yes } })

  const sent = await eventually(
    () => whyOf(running, got),
    ({ status }) => status !== 'taken',
  )
  assert.ok(['sent', 'delivered'].includes(sent.status), sent.status)
  assert.deepEqual([sent.clause, sent.consent.status], ['everyone', 'subscribed'])
  assert.equal(sent.consent.source, yes.source)
  assert.ok(sent.message_id)
  assert.deepEqual(sent.untrusted, { address: 'got@example.com', name: null })
  assert.deepEqual(sent.events.map(({ type }) => type).slice(0, 2), ['queued', 'accepted'])
  const skipped = await whyOf(running, mute)
  assert.deepEqual([skipped.status, skipped.reason], ['skipped', 'not_subscribed'])
  assert.deepEqual([skipped.consent.status, skipped.consent.source], ['none', null])
  const listed = await whyOf(running, angry)
  assert.deepEqual([listed.status, listed.reason], ['skipped', 'suppressed'])
  assert.deepEqual(
    [listed.suppression?.reason, listed.suppression?.source],
    ['complaint', 'a report'],
  )
  assert.equal((await whyOf(running, late)).status, 'added_later')
  await testbed.db.run(sql`delete from contacts where business_id = ${businessId} and id = ${got}`)
  const gone = await whyOf(running, got)
  assert.deepEqual([gone.status, gone.untrusted], [sent.status, undefined])
})

test('without a contact, why lists the recipients by status, in pages', async () => {
  const running = await draftTo(testbed, 120)
  const { owner } = running.scene
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const asked = { campaign_id: running.name, ...(cursor && { cursor }) }
    const page = await owner.get<Answer>('campaign.why', asked)
    for (const { contact_id, untrusted } of page.recipients) {
      assert.match(untrusted?.address ?? '', /@/)
      seen.add(contact_id)
    }
    cursor = page.next_cursor
  } while (cursor)
  assert.equal(seen.size, 120)
  const none = await owner.get<Answer>('campaign.why', {
    campaign_id: running.name,
    status: 'unknown',
  })
  assert.deepEqual(none.recipients, [])
})

test('an unknown contact and an invalid cursor are refused at their fields', async () => {
  const running = await draftTo(testbed, 0)
  const { refused } = running.scene
  const campaign_id = running.name
  const nobody = 'con_00000000000000000000000000'
  const refusal = await refused('campaign.why', { campaign_id, contact_id: nobody })
  assert.deepEqual([refusal.code, refusal.field], ['not_found', 'contact_id'])
  assert.equal((await refused('campaign.why', { campaign_id, cursor: 'x' })).field, 'cursor')
})
