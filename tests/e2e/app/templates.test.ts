/** Templates in the app: made, edited, previewed, tested, brought back, and taken into campaigns. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { campaignScene } from '../../support/businesses/campaigns.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { until } from '../../support/time/eventually.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

interface Stored {
  templates: { version: number; source: { subject: string; html?: string; blocks?: object[] } }[]
}

const receipt = {
  name: 'Receipt',
  subject: 'Receipt {{ order.number }}',
  html: '<p>Hello {{ contact.name | default: "you" }}, thank you for order {{ order.number }}.</p>',
}

async function shop() {
  const scene = await campaignScene(bench.testbed)
  const { owner } = scene
  await owner.get('contact.upsert', {
    email: 'ana@example.com',
    first_name: 'Ada',
    last_name: 'Ruiz',
  })
  return { ...scene, businesses: [scene.businessId] }
}

test('a template is made of blocks, previewed for a contact, saved and sent as a test', {
  skip,
}, async () => {
  const { owner, businesses } = await shop()
  const visit = await visitApp(bench, { businesses, path: '/templates' })
  const { page, complaints, close } = visit
  await page.getByRole('button', { name: 'New template' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New template' })
  await dialog.getByLabel('Name').fill('Welcome')
  await dialog.getByRole('button', { name: 'Create template' }).click()
  await page.waitForURL(/templates\/tpl_/)
  const frame = page.frameLocator('iframe')
  const heading = page.getByRole('textbox', { name: 'Heading, 1 of 2' })
  await heading.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Welcome to {{ place }}')
  await heading.getByText('place', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await frame.getByText('Hello Ana').waitFor()
  await frame.getByRole('heading', { name: 'Welcome to place' }).waitFor()

  await page.getByText('Values provided with each send: 1').click()
  await page.getByRole('textbox', { name: 'place', exact: true }).fill('the bakery')
  await frame.getByRole('heading', { name: 'Welcome to the bakery' }).waitFor()
  await page.getByLabel('Preview with').selectOption('contact')
  await page.getByLabel('Email address of the contact').fill('ana@example.com')
  await frame.getByText('Hello Ada,').waitFor()

  assert.ok(await page.getByRole('button', { name: 'Send me a test' }).isDisabled())
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Template saved').waitFor()
  await page.getByRole('button', { name: 'Send me a test' }).click()
  await page.getByText('The test is on its way').waitFor()
  type Sent = { messages: { subject?: string; to?: string; template_id?: string }[] }
  const { messages } = await owner.get<Sent>('message.list', {})
  assert.equal(messages.length, 1)
  assert.deepEqual(complaints, [])
  await close()
})

test('a former version is compared and brought back by keyboard', { skip }, async () => {
  const { owner, businesses } = await shop()
  const { template_id } = await owner.get<{ template_id: string }>('template.save', receipt)
  for (const tag of ['<p title="Old">', '<p>']) {
    await owner.get('template.save', { template_id, html: `${tag}Something else.</p>` })
  }
  const { page, close } = await visitApp(bench, { businesses, path: `/templates/${template_id}` })
  const { keyboard } = page
  await page.frameLocator('iframe').getByText('Something else.').waitFor()
  await page.getByRole('button', { name: 'Versions' }).focus()
  await keyboard.press('Enter')
  await page.getByRole('button', { name: /^Version 2/ }).focus()
  await keyboard.press('Enter')
  await page.getByText('Same as the saved version.').waitFor()
  const bringBack = page.getByRole('button', { name: 'Restore this version' })
  assert.ok(await bringBack.isVisible(), 'what looks different can be brought back')
  await page.getByRole('button', { name: /^Version 1/ }).focus()
  await keyboard.press('Enter')
  await page.locator('ins', { hasText: 'thank you for order' }).waitFor()
  await page.locator('del', { hasText: 'Something else.' }).waitFor()
  await bringBack.focus()
  await keyboard.press('Enter')
  await page.frameLocator('iframe').getByText('thank you for order').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).focus()
  await keyboard.press('Enter')
  await page.getByText('Template saved').waitFor()
  const { templates } = await owner.get<Stored>('template.list', { template_id })
  assert.equal(templates[0]?.version, 4)
  assert.equal(templates[0]?.source.html, receipt.html)
  await close()
})

test('a campaign begins from a template, and becomes one', { skip }, async () => {
  const scene = await shop()
  const { owner, businesses } = scene
  const blocks = [{ type: 'heading', text: 'From the template' }]
  const { template_id } = await owner.get<{ template_id: string }>('template.save', {
    name: 'Monthly news',
    subject: 'The news',
    blocks,
  })
  const { campaign_id } = await scene.draft({ content: { subject: 'Old', html: '<p>Old</p>' } })
  const path = `/campaigns/${campaign_id}?step=what`
  const { page, close } = await visitApp(bench, { businesses, path })
  await page.frameLocator('iframe').getByText('Old').waitFor()
  await page.getByRole('button', { name: 'Start from a template' }).click()
  await page.getByRole('button', { name: 'Monthly news' }).click()
  await page
    .getByRole('textbox', { name: 'Heading, 1 of 1' })
    .getByText('From the template')
    .waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Draft saved').waitFor()
  const got = await owner.get<{ variants: { content: object }[] }>('campaign.get', {
    campaign_id,
    content: true,
  })
  assert.deepEqual(got.variants[0]?.content, { subject: 'The news', blocks })
  type Results = { campaigns: { campaign_id: string }[] }
  const results = await owner.get<Results>('template.results', { template_id })
  assert.deepEqual(
    results.campaigns.map((campaign) => campaign.campaign_id),
    [campaign_id],
  )

  await page.getByRole('button', { name: 'Save as template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as template' })
  await dialog.getByLabel('Name').fill('Spring')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Template saved').waitFor()
  const named = async () => {
    const { templates } = await owner.get<{ templates: { name: string }[] }>('template.list')
    return templates.map(({ name }) => name)
  }
  await until(async () => (await named()).includes('Spring'), 'the template is stored')
  await close()
})

test('a template is found, gets a key and tags by keyboard, and tells of its use', {
  skip,
}, async () => {
  const { owner, businesses } = await shop()
  const { template_id } = await owner.get<{ template_id: string }>('template.save', receipt)
  await owner.get('template.save', { ...receipt, name: 'Spring news', tags: ['spring'] })
  const visit = await visitApp(bench, { businesses, path: '/templates', width: 390 })
  const { page, root, complaints, close } = visit
  const { keyboard } = page
  await page.getByRole('link', { name: 'Spring news' }).waitFor()
  await page.getByRole('button', { name: 'spring', exact: true }).click()
  await page.getByRole('link', { name: 'Receipt' }).waitFor({ state: 'detached' })
  await page.getByRole('searchbox').fill('nothing such')
  await page.getByText('No templates match.').waitFor()
  await page.getByRole('button', { name: 'Show all templates' }).click()
  await page.getByRole('searchbox').fill('RECEI')
  await page.getByRole('link', { name: 'Spring news' }).waitFor({ state: 'detached' })
  await assertSound(visit, 'app-templates-390')
  await page.getByRole('link', { name: 'Receipt' }).click()

  await page.getByRole('button', { name: 'Key and tags' }).focus()
  await keyboard.press('Enter')
  await page.getByLabel('Key', { exact: true }).fill('Not a key')
  await keyboard.press('Enter')
  await page.getByText('key must be 1 to 64').waitFor()
  // The browser's own note of the refusal.
  complaints.splice(0)
  await page.getByLabel('Key', { exact: true }).fill('receipt')
  await page.getByLabel('Tags', { exact: true }).fill('orders, spring ,')
  await keyboard.press('Enter')
  await page.getByText('Key and tags saved').waitFor()
  type Templates = { templates: { key?: string; tags: string[]; version: number }[] }
  const { templates } = await owner.get<Templates>('template.list', { template_id })
  const [{ key, tags, version } = {}] = templates
  assert.deepEqual(
    { key, tags, version },
    { key: 'receipt', tags: ['orders', 'spring'], version: 1 },
  )

  await page.getByLabel('Subject').fill('Receipt')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Template saved').waitFor()
  await page.getByRole('button', { name: 'Versions' }).click()
  await page.getByText(/^By .+@/).waitFor()
  await keyboard.press('Escape')
  await page.getByRole('button', { name: 'Use in a campaign' }).click()
  await page.waitForURL(/campaigns\/cmp_/)
  await page.goto(`${root}/templates/${template_id}`)
  await page.getByRole('button', { name: 'Results' }).focus()
  await keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('link', { name: 'Receipt' }).waitFor()
  await page.getByText('Nothing was sent with this template').waitFor()
  await assertSound(visit, 'app-template-results-390')
  assert.deepEqual(complaints, [])
  await close()
})

for (const { theme, width } of looks) {
  test(`the editor of templates is sound, ${theme} at ${width}`, { skip }, async () => {
    const { owner, businesses } = await shop()
    const { template_id } = await owner.get<{ template_id: string }>('template.save', receipt)
    await owner.get('template.save', { template_id, subject: 'Your receipt {{ order.number }}' })
    const path = `/templates/${template_id}`
    const visit = await visitApp(bench, { businesses, theme, width, path })
    const { page } = visit
    await page.frameLocator('iframe').getByText('thank you').waitFor()
    await page.getByText('Values provided with each send: 1').click()
    await assertSound(visit, `app-template-editor-${theme}-${width}`)
    await page.getByRole('button', { name: 'Versions' }).click()
    await page.getByRole('button', { name: /^Version 1/ }).click()
    await page.getByRole('heading', { name: 'Changes' }).waitFor()
    await page.locator('del', { hasText: 'Your' }).waitFor()
    await assertSound(visit, `app-template-versions-${theme}-${width}`)
    await visit.close()
  })
}

test('a viewer reads a template in German, and changes nothing', { skip }, async () => {
  const { owner, businesses } = await shop()
  const { template_id } = await owner.get<{ template_id: string }>('template.save', receipt)
  const path = `/templates/${template_id}`
  const options = { businesses, path, role: 'viewer', language: 'de', width: 390 } as const
  const visit = await visitApp(bench, options)
  const { page } = visit
  await page.frameLocator('iframe').getByText('thank you').waitFor()
  assert.equal(await page.getByLabel('Betreff').getAttribute('aria-readonly'), 'true')
  assert.equal(await page.getByRole('button', { name: 'Speichern' }).count(), 0)
  await assertSound(visit, 'app-template-viewer-de')
  await visit.close()
})
