import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import PostalMime from 'postal-mime'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { sendOff } from '../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  draftTo,
  relaySettings,
} from '../../../tests/support/businesses/campaign-runs.ts'
import { campaignScene } from '../../../tests/support/businesses/campaigns.ts'
import { type FakeRelay, startFakeRelay } from '../../../tests/support/mail/fake-relay.ts'
import { findLinks } from '../lib/email/find-links.ts'

let relay: FakeRelay
let testbed: OwnTestbed
before(async () => {
  relay = await startFakeRelay()
  testbed = await openTestbed(relaySettings(relay.url()))
})
after(async () => {
  await testbed.close()
  await relay.stop()
})

const content = {
  subject: 'News',
  html: '<p><a href="https://shop.test/a?b=1#c">Shop</a> <a href="https://own.test/?utm_source=own">Own</a></p>',
  text: 'Shop: https://shop.test/a?b=1#c',
}

interface Plan {
  plan_hash: string
  utm_example?: { url: string; tagged_url: string }
}

/** The mail that the relay took last, and where each of its tracked links leads. */
async function lastMail() {
  const { html = '', text = '' } = await PostalMime.parse(relay.taken.at(-1)?.source ?? '')
  const { baseUrl } = testbed.service.config
  const targets: (string | null)[] = []
  for (const { url } of findLinks(html)) {
    if (!url.startsWith(`${baseUrl}/c/`)) continue
    const { headers } = await fetch(url, { redirect: 'manual' })
    targets.push(headers.get('location'))
  }
  return { html, text, targets }
}

test('links of a sent campaign lead to their pages with the business’s values, in HTML and in text', async () => {
  const running = await draftTo(testbed, 1, { name: 'Spring Menu', content })
  const { owner } = running.scene
  await owner.get('business.save', { utm: { source: 'newsletter', medium: 'email' } })
  await sendOff(running)
  await awaitState(running, 'completed')
  const tagged =
    'https://shop.test/a?b=1&utm_source=newsletter&utm_medium=email&utm_campaign=spring-menu#c'
  const { html, text, targets } = await lastMail()
  assert.ok(targets.includes(tagged) && targets.includes('https://own.test/?utm_source=own'))
  assert.ok(text.includes(`Shop: ${tagged}`), text)
  // The link by which people unsubscribe is no link to the business's pages.
  assert.match(html, /\/u\/[\w-]+"/)
  const { utm } = await owner.get<{ utm: object }>('campaign.get', { campaign_id: running.name })
  assert.deepEqual(utm, { source: 'newsletter', medium: 'email' })
})

test('links that are not tracked get a campaign’s own values, and a later default changes nothing', async () => {
  const running = await draftTo(testbed, 1, { content })
  const { owner } = running.scene
  await owner.get('business.save', { track_clicks: false, utm: { source: 'newsletter' } })
  const { name: campaign_id } = running
  await owner.get('campaign.save', { campaign_id, utm: { source: 'own', campaign: 'x' } })
  await sendOff(running)
  await awaitState(running, 'completed')
  const { html, targets } = await lastMail()
  assert.deepEqual(targets, [])
  assert.ok(
    html.includes('"https://shop.test/a?b=1&amp;utm_source=own&amp;utm_campaign=x#c"'),
    html,
  )
})

test('values are off unless set, and a campaign can be without those of its business', async () => {
  const running = await draftTo(testbed, 1, { content })
  const { owner } = running.scene
  const plan = () => owner.get<Plan>('campaign.preview', { campaign_id: running.name })
  assert.equal((await plan()).utm_example, undefined)
  await owner.get('business.save', { utm: { source: 'newsletter' } })
  assert.match((await plan()).utm_example?.tagged_url ?? '', /utm_source=newsletter/)
  await owner.get('campaign.save', { campaign_id: running.name, utm: {} })
  assert.equal((await plan()).utm_example, undefined)
  await sendOff(running)
  await awaitState(running, 'completed')
  const { targets } = await lastMail()
  assert.ok(targets.includes('https://shop.test/a?b=1#c'))
})

test('a plan made before the values changed is refused, and the test mail has them', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(1)
  const { campaign_id } = await scene.draft({ content })
  const plan = () => scene.owner.get<Plan>('campaign.preview', { campaign_id })
  const { plan_hash } = await plan()
  await scene.owner.get('business.save', { utm: { source: 'newsletter' } })
  const refusal = await scene.refused('campaign.deploy', { campaign_id, plan_hash })
  assert.deepEqual([refusal.code, refusal.field], ['conflict', 'plan_hash'])
  assert.notEqual((await plan()).plan_hash, plan_hash)
  await scene.owner.get('campaign.save', { campaign_id, utm: null })
  const sample = await scene.owner.get<Plan>('campaign.preview', { campaign_id })
  assert.deepEqual(sample.utm_example, {
    url: 'https://shop.test/a?b=1#c',
    tagged_url: `https://shop.test/a?b=1&utm_source=newsletter&utm_campaign=news#c`,
  })
})

test('values without a source, with unknown keys or beyond their length are refused', async () => {
  const scene = await campaignScene(testbed)
  const { campaign_id } = await scene.draft({ content })
  const cases: [object, string][] = [
    [{ medium: 'email' }, 'utm.source'],
    [{ source: 'a\u202eb' }, 'utm.source'],
    [{ source: 'x'.repeat(101) }, 'utm'],
    [{ source: 'x', colour: 'y' }, 'utm'],
  ]
  for (const [utm, field] of cases) {
    for (const [operation, input] of [
      ['campaign.save', { campaign_id, utm }],
      ['business.save', { utm }],
    ] as const) {
      const refusal = await scene.refused(operation, input)
      assert.equal(refusal.code, 'invalid_request')
      assert.ok(refusal.field?.startsWith(field), JSON.stringify(refusal))
    }
  }
  const longest = { source: 'x'.repeat(100) }
  const saved = await scene.owner.get<{ utm: object }>('campaign.save', {
    campaign_id,
    utm: longest,
  })
  assert.deepEqual(saved.utm, longest)
})
