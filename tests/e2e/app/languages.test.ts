/** Templates and campaigns in several languages, written in the app. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { campaignScene, deployPlanned, yes } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { eventually } from '../../support/time/eventually.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'
import { assertValue } from './settled.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

const news = { subject: 'Spring menu', preheader: 'Fresh', html: '<p>Asparagus is back.</p>' }

interface Stored {
  templates: { source: { translations?: Record<string, object> }; outdated: string[] }[]
}

test('a campaign gets a German text in the app, and a German contact gets it', {
  skip,
}, async () => {
  const scene = await campaignScene(bench.testbed)
  const [anna, ben] = [`anna-${scene.businessId}@de.example`, `ben-${scene.businessId}@en.example`]
  await scene.contact({ email: anna, language: 'de-AT', consent: { email: yes } })
  await scene.contact({ email: ben, consent: { email: yes } })
  const { campaign_id } = await scene.draft({ content: news })
  const path = `/campaigns/${campaign_id}?step=what`
  const visit = await visitApp(bench, { businesses: [scene.businessId], path })
  const { page, complaints, close } = visit
  await page.getByRole('button', { name: 'Add a language' }).click()
  await page.getByRole('menuitem', { name: 'German' }).click()
  // It begins as a copy, and says so.
  await page.getByText('is still the same as in the main text').waitFor()
  await assertValue(page.getByLabel('Subject'), news.subject)
  await page.getByLabel('Subject').fill('Frühlingskarte')
  await page.getByLabel('Content, as HTML').fill('<p>Der Spargel ist wieder da.</p>')
  await page.getByLabel('Preview line').fill('')
  await page.frameLocator('iframe').getByText('Der Spargel').waitFor()
  await page.getByText('In the main text, but missing here: preview line.').waitFor()
  assert.equal(await page.getByText('is still the same').count(), 0)
  await page.getByText('Contacts whose language is German get this text').waitFor()
  await page.getByRole('button', { name: 'Main text', exact: true }).click()
  await assertValue(page.getByLabel('Subject'), news.subject)
  await page.getByRole('button', { name: 'Save and continue' }).click()

  await page.getByText('1 German').waitFor()
  await page.getByText('1 Main text').waitFor()
  await page.getByRole('main').getByLabel('Language').selectOption('de')
  await page.frameLocator('iframe').getByText('Der Spargel').waitFor()
  await page.getByRole('button', { name: 'Send me a test' }).click()
  await page.getByText('The test is on its way').waitFor()
  const { messages } = await scene.owner.get<{ messages: { to: string }[] }>('message.list')
  assert.deepEqual(await subjectsTo(messages[0]?.to ?? ''), ['[Test] Frühlingskarte'])
  assert.deepEqual(complaints, [])
  // A page that stays open may ask for the draft's preview just as it is a draft no more.
  await close()
  await deployPlanned(scene.owner, { campaign_id })
  assert.deepEqual(await subjectsTo(anna), ['Frühlingskarte'])
  assert.deepEqual(await subjectsTo(ben), ['Spring menu'])
})

/** The subjects of the mail to an address in the built-in inbox. */
async function subjectsTo(email: string): Promise<string[]> {
  const listing = `${bench.testbed.service.url}/inbox/messages?to=${encodeURIComponent(email)}`
  const read = async () =>
    ((await (await fetch(listing)).json()) as { messages: { subject: string }[] }).messages
  const mails = await eventually(read, ({ length }) => length > 0)
  return mails.map(({ subject }) => subject)
}

test('a translation of a template is found old, tested, edited and removed', { skip }, async () => {
  const { owner, businessId } = await campaignScene(bench.testbed)
  const translations = { de: { subject: 'Frühlingskarte', html: '<p>Spargel.</p>' } }
  const template = { name: 'Menu', ...news, translations }
  const { template_id } = await owner.get<{ template_id: string }>('template.save', template)
  await owner.get('template.save', { template_id, html: '<p>Asparagus and peas.</p>' })
  const stored = async () => {
    const { templates } = await owner.get<Stored>('template.list', { template_id })
    assert.ok(templates[0])
    return templates[0]
  }
  assert.deepEqual((await stored()).outdated, ['de'])
  const path = `/templates/${template_id}`
  const { page, close } = await visitApp(bench, { businesses: [businessId], path })
  await page.getByRole('button', { name: 'German (check)' }).click()
  await page.getByText('The main text has changed since').waitFor()
  await page.frameLocator('iframe').getByText('Spargel.').waitFor()
  await page.getByRole('button', { name: 'Send me a test' }).click()
  await page.getByText('The test is on its way').waitFor()
  const { messages } = await owner.get<{ messages: { to: string }[] }>('message.list')
  assert.deepEqual(await subjectsTo(messages[0]?.to ?? ''), ['Frühlingskarte'])

  await page.getByLabel('Content, as HTML').fill('<p>Spargel und Erbsen.</p>')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Template saved').waitFor()
  const { source, outdated } = await stored()
  const de = { subject: 'Frühlingskarte', html: '<p>Spargel und Erbsen.</p>' }
  assert.deepEqual([source.translations, outdated], [{ de }, []])

  await page.getByRole('button', { name: 'Remove German' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: /^German/ }).click()
  await page.getByRole('button', { name: 'Remove German' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await eventually(stored, (now) => now.source.translations === undefined)
  await close()
})

for (const { theme, width } of looks) {
  test(`the editor of languages is sound, ${theme} at ${width}`, { skip }, async () => {
    const { owner, businessId } = await campaignScene(bench.testbed)
    const translations = { de: { subject: 'Frühlingskarte', html: '<p>Spargel.</p>' } }
    const template = { name: 'Menu', ...news, translations }
    const { template_id } = await owner.get<{ template_id: string }>('template.save', template)
    await owner.get('template.save', { template_id, html: '<p>Asparagus and peas.</p>' })
    const path = `/templates/${template_id}`
    const businesses = [businessId]
    const language = theme === 'dark' ? 'de' : 'en'
    const visit = await visitApp(bench, { businesses, theme, width, path, language })
    await visit.page.frameLocator('iframe').getByText('Asparagus').waitFor()
    await assertSound(visit, `app-languages-main-${theme}-${width}`)
    await visit.page.getByRole('button', { name: /^(German|Deutsch) \(/ }).click()
    await visit.page.frameLocator('iframe').getByText('Spargel').waitFor()
    await assertSound(visit, `app-languages-${theme}-${width}`)
    await visit.close()
  })
}
