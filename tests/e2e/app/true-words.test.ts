/** Pages say what is so: what stays on this machine, what nobody reports, and who gets no mail. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { starterWords } from 'crier-server/campaigns/preflight/gates/content.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { blocks as germanBlocks } from '../../../web/src/words/de/blocks.ts'
import { campaigns as germanCampaigns } from '../../../web/src/words/de/campaigns.ts'
import { content as germanContent } from '../../../web/src/words/de/content.ts'
import { blocks } from '../../../web/src/words/en/blocks.ts'
import { campaigns } from '../../../web/src/words/en/campaigns.ts'
import { content } from '../../../web/src/words/en/content.ts'
import { campaignScene, deployPlanned } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { eventually } from '../../support/time/eventually.ts'
import { type AppBench, assertSound, openAppBench, visitApp } from './app.ts'

const skip = withoutBrowser
const english = { blocks, campaigns, content }
const german = { blocks: germanBlocks, campaigns: germanCampaigns, content: germanContent }

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

test('every word with which the app begins a mail is known to the check of its content', () => {
  const fill = (text: string) =>
    text.replace(/\{\{ contact\.first_name \| default: "(\w+)" \}\}/, '$1')
  for (const { blocks, campaigns, content } of [english, german]) {
    const { heading, text, item, product, code } = blocks.firsts
    const known: readonly string[] = starterWords.sentences
    for (const sentence of [heading, text, item, product, code, content.make.heading]) {
      assert.ok(known.includes(sentence), sentence)
    }
    const [first, greeting] = campaigns.make.firstBlocks
    assert.ok(known.includes(first?.text ?? ''), first?.text)
    const greetings: readonly string[] = starterWords.greetings
    for (const words of [greeting?.text ?? '', content.make.hello]) {
      assert.ok(greetings.includes(fill(words)), words)
    }
  }
})

const looks = [
  { theme: 'light', width: 1280, language: 'en' },
  { theme: 'dark', width: 390, language: 'de' },
] as const
const words = {
  en: {
    stays: 'Nothing leaves this machine: email stays in the test inbox.',
    accepted: 'Accepted',
    reported: 'not reported',
    bounced: 'Bounced',
  },
  de: {
    stays: 'Nichts verlässt diesen Rechner: E-Mails bleiben im Testpostfach.',
    accepted: 'Angenommen',
    reported: 'nicht gemeldet',
    bounced: 'Unzustellbar',
  },
} as const

for (const { theme, width, language } of looks) {
  test(`a campaign of the built-in inbox claims no delivery, ${language}, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const said = words[language]
    const scene = await campaignScene(bench.testbed)
    await scene.subscribers(2)
    const { campaign_id } = await scene.draft({ name: 'Winter letter' })
    await deployPlanned(scene.owner, { campaign_id })
    await eventually(
      () => scene.owner.get<{ status: string }>('campaign.get', { campaign_id }),
      ({ status }) => status === 'completed',
    )
    const businesses = [scene.businessId]
    const path = `/campaigns/${campaign_id}`
    const visit = await visitApp(bench, { businesses, theme, width, language, path })
    const { page, root } = visit
    await page.getByText(said.stays).waitFor()
    const term = (name: string) => page.locator('dl > div', { hasText: name })
    await term(said.accepted).getByText('2', { exact: true }).waitFor()
    await page.getByText(said.reported, { exact: true }).waitFor()
    assert.equal(await page.locator('dt', { hasText: /^(Delivered|Zugestellt)$/ }).count(), 0)
    await assertSound(visit, `app-results-stays-${language}-${theme}-${width}`)
    for (const other of ['', '/messages']) {
      await page.goto(root + other)
      await page.getByText(said.stays).waitFor()
      await assertSound(visit, `app-stays${other.replace('/', '-')}-${language}-${theme}-${width}`)
    }
    await visit.close()
  })

  test(`who bounced is no subscriber, ${language}, ${theme} at ${width}`, { skip }, async () => {
    const said = words[language]
    const scene = await campaignScene(bench.testbed)
    await scene.subscribers(3)
    const { businessId } = scene
    const { contacts } = await scene.owner.get<{
      contacts: { contact_id: string; email: string }[]
    }>('contact.list', { limit: 1 })
    const [{ contact_id, email } = { contact_id: '', email: '' }] = contacts
    await scene.owner.get('contact.suppress', { contact_id })
    await bench.testbed.db.run(sql`
      update suppressions set reason = 'bounce' where business_id = ${businessId}
    `)
    const businesses = [businessId]
    const visit = await visitApp(bench, { businesses, theme, width, language, path: '/contacts' })
    const { page } = visit
    const chip = (name: RegExp) => page.getByRole('button', { name })
    await chip(/^(Subscribed|Angemeldet) 2$/).waitFor()
    await chip(/^(Bounced|Unzustellbar) 1$/).click()
    const row = page.getByRole('row', { name: email })
    await row.getByText(said.bounced).waitFor()
    assert.equal(await page.getByRole('link', { name: /@/ }).count(), 1)
    await assertSound(visit, `app-contacts-bounced-${language}-${theme}-${width}`)
    await page.getByRole('link', { name: email }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText(said.bounced, { exact: true }).waitFor()
    await assertSound(visit, `app-contact-bounced-${language}-${theme}-${width}`)
    await visit.close()
  })
}
