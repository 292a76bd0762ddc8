/** Forms: built with a preview, published, shared, and the visitors' submissions. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { holdConfirmation } from '../../support/businesses/guarded-forms.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { until } from '../../support/time/eventually.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'
import { keysOf } from './keyboard.ts'
import { hostileName } from './people.ts'
import { assertValue } from './settled.ts'

const skip = withoutBrowser
const path = '/forms'

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

const fields = [
  { key: 'email', label: 'Email', type: 'email', required: true },
  { key: 'name', label: 'Your name', type: 'text' },
  { key: 'city', label: 'City', type: 'select', options: ['Porto', 'Lisboa'] },
  { key: 'news', label: 'Send me news by email.', type: 'consent', channel: 'email' },
]

async function withForm() {
  const business = await bench.testbed.newBusiness()
  const owner = await bench.testbed.caller({ businesses: [business] })
  const saved = await owner.get<{ form_id: string }>('form.save', {
    name: 'Join our list',
    status: 'published',
    fields,
  })
  return { businesses: [business], owner, form_id: saved.form_id }
}

for (const { theme, width } of looks) {
  test(`the form pages have no accessibility fault, ${theme} at ${width}`, { skip }, async () => {
    const look = `${theme}-${width}`
    const { businesses, owner, form_id } = await withForm()
    await owner.get('form.submit', {
      form_id,
      fields: { email: 'ana@example.com', name: hostileName, city: 'Porto', news: 'true' },
    })
    const visit = await visitApp(bench, { businesses, theme, width, path })
    const { page } = visit
    await page.getByRole('link', { name: 'Join our list' }).waitFor()
    await assertSound(visit, `app-forms-${look}`)
    await page.getByRole('link', { name: 'Join our list' }).click()
    await page.getByRole('button', { name: /^City/ }).click()
    await page.getByLabel('Choices').waitFor()
    await assertSound(visit, `app-form-build-${look}`)
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByText('A hosted page').waitFor()
    await assertSound(visit, `app-form-share-${look}`)
    await page.getByRole('button', { name: /^Submissions/ }).click()
    await page.getByRole('link', { name: 'ana@example.com' }).click()
    await page.getByRole('dialog').getByText('Evidence').waitFor()
    await assertSound(visit, `app-form-submission-${look}`)
    assert.doesNotMatch(await page.title(), /owned/)
    await visit.close()
  })
}

test('a form is created, built, published, filled in and its submission read by mouse', {
  skip,
}, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const { page, complaints, close } = await visitApp(bench, { businesses, path })
  await page.getByRole('button', { name: 'New form' }).first().click()
  await page.getByLabel('Form name').fill('Newsletter')
  await page.getByRole('dialog').getByRole('button', { name: 'Create form' }).click()
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByLabel('Label', { exact: true }).fill('Nachname')
  await assertValue(page.getByLabel('Key', { exact: true }), 'last_name')
  await page.getByText('Fills in the contact’s last name.').waitFor()
  await page.getByLabel('Label', { exact: true }).fill('Favourite bread')
  await assertValue(page.getByLabel('Key', { exact: true }), 'favourite_bread')
  await page.getByLabel('Type', { exact: true }).selectOption('radio')
  await page.getByLabel('Choices').fill('Rye\nWheat')
  await page.getByLabel('Title').fill('Bread by post')
  const preview = page.locator('[inert]')
  await preview.getByText('Bread by post').waitFor()
  await preview.getByText('Wheat').waitFor()
  const handle = page.getByRole('button', { name: 'Move Favourite bread' })
  await handle.dragTo(page.getByRole('button', { name: 'Move First name' }))
  await page.getByRole('button', { name: 'Move Favourite bread, 2 of 4' }).waitFor()
  // The change is still there after a reload.
  await page.reload()
  await preview.getByText('Wheat').waitFor()
  await page.getByLabel('Double opt-in: confirm by email').uncheck()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('Form published').waitFor()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const code = page.getByRole('img', { name: 'QR code of Newsletter' })
  await until(
    () => code.evaluate((image: HTMLImageElement) => image.naturalWidth > 20),
    'the QR code is there',
  )
  await page.getByText('No site is allowed to show the form yet').waitFor()
  await page.getByLabel('How it appears').selectOption('popup')
  await page.getByLabel('Seconds until it opens').fill('4')
  await page.getByLabel('Sites that may embed the form').fill('https://shop.example')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').first().waitFor()
  await page.getByLabel('Seconds until it opens').fill('20')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('No site is allowed to show the form yet').waitFor({ state: 'hidden' })
  const [hosted] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open' }).click(),
  ])
  await hosted.getByText('Bread by post').waitFor()
  await hosted.getByLabel(/^Email/).fill('ana@example.com')
  await hosted.getByLabel('Wheat').check()
  await hosted.getByLabel(/send me news/).check()
  await hosted.getByRole('button').first().click()
  await hosted.waitForURL(/thanks|sent|\?/)
  await hosted.close()
  await page.getByRole('button', { name: /^Submissions/ }).click()
  await page.getByText('Subscribed', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'ana@example.com' }).click()
  await page.getByRole('dialog').getByText('Wheat').waitFor()
  await page.getByRole('link', { name: 'View contact' }).click()
  await page.getByRole('dialog').getByText('Timeline').waitFor()
  // The four seconds were refused.
  assert.deepEqual(
    complaints.filter((text) => !text.includes('400')),
    [],
  )
  await close()
})

test('form fields are reordered and saved by keyboard alone, in German', { skip }, async () => {
  const { businesses, owner, form_id } = await withForm()
  const { page, complaints, close } = await visitApp(bench, {
    businesses,
    path: `${path}/${form_id}`,
    language: 'de',
  })
  await page.getByRole('button', { name: 'City verschieben, 3 von 4' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('button', { name: 'City verschieben, 1 von 4' }).waitFor()
  assert.match(
    (await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '',
    /^City/,
    'the handle keeps the focus',
  )
  await page.getByLabel('Titel').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Gespeichert').first().waitFor()
  const form = await owner.get<{ fields: { key: string }[] }>('form.get', { form_id })
  assert.deepEqual(
    form.fields.map(({ key }) => key),
    ['city', 'email', 'name', 'news'],
  )
  assert.deepEqual(complaints, [])
  await close()
})

/** Three held confirmations of one form, the newest of them last. */
async function withHeld() {
  const { businesses, owner, form_id } = await withForm()
  const formId = parseId('form', form_id)
  const [businessId] = businesses
  assert.ok(formId && businessId)
  const { db } = bench.testbed
  await db.run(sql`
    update forms set guarded_since = now() where business_id = ${businessId} and id = ${formId}
  `)
  for (const word of ['ana', 'ben', 'chloe']) {
    const email = `${word}@example.com`
    const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', { email })
    const contactId = parseId('contact', contact_id)
    assert.ok(contactId)
    await holdConfirmation(db, businessId, { formId, contactId, word })
  }
  const left = async () => {
    const { held } = await owner.get<{ held: { untrusted: { email: string } }[] }>('form.held', {
      form_id,
    })
    return held.map(({ untrusted }) => untrusted.email).sort()
  }
  return { businesses, form_id, left }
}

for (const { theme, width } of looks) {
  test(`held mails have no fault, there or not, ${theme} at ${width}`, { skip }, async () => {
    const look = `${theme}-${width}`
    const { businesses, form_id } = await withHeld()
    const held = `${path}/${form_id}?tab=held`
    const visit = await visitApp(bench, { businesses, theme, width, path: held })
    const { page } = visit
    await page.getByRole('heading', { name: 'Emails on hold: 3' }).waitFor()
    await assertSound(visit, `app-form-held-${look}`)
    await page.getByRole('button', { name: 'Discard all' }).click()
    await page.getByRole('dialog').waitFor()
    await assertSound(visit, `app-form-held-dialog-${look}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Discard all' }).click()
    await page.getByText('No confirmation emails on hold').waitFor()
    await assertSound(visit, `app-form-held-none-${look}`)
    await visit.close()
  })
}

test('held mails are sent and discarded by keyboard, in German', { skip }, async () => {
  const { businesses, form_id, left } = await withHeld()
  const { page, complaints, close } = await visitApp(bench, {
    businesses,
    language: 'de',
    path: `${path}/${form_id}`,
  })
  await page.getByRole('button', { name: 'Angehalten' }).press('Enter')
  await page.getByRole('button', { name: 'Mail an ben@example.com senden' }).press('Enter')
  await page.getByText('E-Mails in der Warteschlange: 1').waitFor()
  await page.getByRole('heading', { name: 'Angehaltene E-Mails: 2' }).waitFor()
  assert.deepEqual(await left(), ['ana@example.com', 'chloe@example.com'])
  await page.getByRole('button', { name: 'Mail an ana@example.com verwerfen' }).press('Enter')
  await page.getByRole('heading', { name: 'Angehaltene E-Mails: 1' }).waitFor()
  assert.deepEqual(await left(), ['chloe@example.com'])
  await page.getByRole('button', { name: 'Alle senden' }).press('Enter')
  await keysOf(page).press(page.getByRole('dialog').getByRole('button', { name: 'Alle senden' }))
  await page.getByText('Keine Bestätigungsmails angehalten').waitFor()
  assert.deepEqual(await left(), [])
  assert.deepEqual(complaints, [])
  await close()
})

test('a dialog that opens while one held mail is decided stays open and can be used', {
  skip,
}, async () => {
  const { businesses, form_id, left } = await withHeld()
  const { page, complaints, close } = await visitApp(bench, {
    businesses,
    path: `${path}/${form_id}?tab=held`,
  })
  const answer = Promise.withResolvers<void>()
  await page.route('**/held/discard', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Discard the email to ana@example.com' }).click()
  await page.getByRole('button', { name: 'Send all' }).click()
  const send = page.getByRole('dialog').getByRole('button', { name: 'Send all' })
  await send.waitFor()
  assert.equal(await send.isEnabled(), true)
  answer.resolve()
  await page.getByText('Emails discarded: 1').waitFor()
  await send.click()
  await page.getByText('No confirmation emails on hold').waitFor()
  assert.deepEqual(await left(), [])
  assert.deepEqual(complaints, [])
  await close()
})
