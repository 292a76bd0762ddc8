/** The calls in the reference are accepted. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from 'crier-server/core/ids.ts'
import { exampleCall } from 'crier-server/reference/examples/inputs.ts'
import { exampleValue } from 'crier-server/reference/examples/values.ts'
import { sampleRequests } from 'crier-server/reference/routes.ts'
import { addBelongings, type Belongings } from '../operations/support/belongings.ts'
import { freshCampaign, stateFor } from '../operations/support/campaigns.ts'
import { freshDelivery } from '../operations/support/deliveries.ts'
import { catalog, type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'

let testbed: OwnTestbed
let shared: Belongings
before(async () => {
  testbed = await openTestbed({ idle: true })
  shared = await addBelongings(testbed, 'alpha', { campaigns: 10 })
  // Whom the examples name by something other than an id.
  const owner = await testbed.caller({ businesses: [shared.id] })
  const exampleOf = (key: string) => exampleValue({ type: 'string' }, key, {})
  const known = { email: exampleOf('email'), external_id: exampleOf('external_id') }
  await owner.get('contact.upsert', known)
})
after(() => testbed.close())

/** The business's own ids by prefix, and those of its second contact and campaign. */
function idsOf(belongings: Belongings): Record<string, string> {
  const ids = Object.values(belongings).filter((value) => /^[a-z]{3}_/.test(value))
  const byPrefix = Object.fromEntries(ids.map((id) => [id.slice(0, 3), id]))
  const { campaign_id, other_contact_id, other_campaign_id } = belongings
  return { ...byPrefix, cmp: campaign_id, other_contact_id, other_campaign_id }
}

/**
 * Tests use no name server, so an address replaces the example's host. A domain is checked by the
 * business that owns it, which states what a verified one sent before. And a message moves to a
 * time that is still to come.
 */
function madeOwn(text: string, { word }: Belongings): string {
  return text
    .replaceAll('https://example.com/hooks', 'https://1.1.1.1')
    .replaceAll('mail.example.com', `${word}.example.com`)
    .replaceAll('news.example.com', `${word}-warm.example.com`)
    .replaceAll('2026-11-30T09:00:00+01:00', new Date(Date.now() + 86_400_000).toISOString())
}

/** An action on a campaign works once, so each call gets its own campaign. */
function aboutFreshCampaign(text: string, operation: string, own: Belongings): string {
  if (!text.includes(own.campaign_id)) return text
  const campaign = freshCampaign(own.business_id, stateFor(operation))
  return text.replaceAll(own.campaign_id, campaign)
}

/** A delivery has one extra attempt at a time. */
function aboutFreshDelivery(text: string, operation: string, own: Belongings): string {
  if (operation !== 'webhook.retry') return text
  return text.replaceAll(/dlv_[0-9a-z]{26}/g, () => freshDelivery(own.business_id))
}

/** An import already in the state that the operation leads to, so that a second call succeeds. */
function aboutImport(text: string, operation: string, own: Belongings): string {
  const byOperation: Record<string, string> = {
    'import.get': own.import_id,
    'import.confirm': own.import_id,
    'import.pause': own.paused_import_id,
    'import.cancel': own.cancelled_import_id,
    'import.undo': own.undone_import_id,
  }
  const wanted = byOperation[operation]
  return wanted === undefined ? text : text.replaceAll(/imp_[0-9a-z]{26}/g, wanted)
}

/** Two sequences of a business cannot have the same name, and one is deleted once. */
function aboutSequence(text: string, operation: string, drafts: string[]): string {
  if (!operation.startsWith('sequence.')) return text
  const named = text.replaceAll('Welcome series', `Welcome series ${newId('sequence')}`)
  const draft = operation === 'sequence.delete' ? drafts.pop() : undefined
  return draft === undefined ? named : named.replaceAll(/seq_[0-9a-z]{26}/g, draft)
}

/** Two feeds of a business cannot have the same name, and each operation needs its state. */
function aboutFeed(text: string, operation: string, own: Belongings): string {
  if (!operation.startsWith('feed.')) return text
  const named = text.replaceAll('Our blog', `Our blog ${newId('feed')}`)
  const byOperation: Record<string, string> = {
    'feed.pause': own.running_feed_id,
    'feed.resume': own.running_feed_id,
    'feed.delete': own.doomed_feed_id,
  }
  return named.replaceAll(/fed_[0-9a-z]{26}/g, byOperation[operation] ?? own.feed_id)
}

for (const operation of catalog) {
  test(`the example of ${operation.name} is accepted as a tool call and over REST`, async () => {
    // Separate belongings for a write, because an example may delete them.
    const own = operation.hints.readOnly
      ? shared
      : await addBelongings(testbed, 'alpha', { campaigns: 10 })
    const ids = idsOf(own)
    const grant = { businesses: [own.id] }
    const [tools, rest] = [await testbed.caller(grant), await testbed.restCaller(grant)]
    if (operation.name === 'message.propose') {
      // It writes to contacts alone.
      await rest.call('contact.upsert', { email: 'ana@example.com' })
    }
    const drafts = [own.doomed_sequence_id, own.new_sequence_id]
    const fresh = (text: string) => {
      const withDelivery = aboutFreshDelivery(text, operation.name, own)
      const withFeed = aboutFeed(withDelivery, operation.name, own)
      const withSequence = aboutSequence(withFeed, operation.name, drafts)
      return aboutImport(aboutFreshCampaign(withSequence, operation.name, own), operation.name, own)
    }
    const example = fresh(JSON.stringify(exampleCall(operation, ids)))
    const asTool = await tools.call(operation.name, JSON.parse(madeOwn(example, own)) as object)
    assert.equal(asTool.kind, 'answer', asTool.text)
    for (const { method, path, body } of sampleRequests(operation, ids)) {
      const sent = body && { body: fresh(madeOwn(JSON.stringify(body), own)) }
      const overRest = await rest.send(method, fresh(madeOwn(path, own)), sent)
      assert.ok(overRest.status < 300, `${method} ${path}: ${overRest.text}`)
    }
  })
}
