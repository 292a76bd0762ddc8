/** Rendered templates, and API keys: made after a fresh sign-in, shown once, revoked. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { minutes } from 'crier-server/lib/time/clock.ts'
import { freePort } from '../../support/network/port.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'
import { assertValue } from './settled.ts'

const skip = withoutBrowser

let bench: AppBench
let smtpPort: number
before(async () => {
  if (skip) return
  smtpPort = await freePort()
  const settings = { SUBMISSION_PORT: String(smtpPort), SUBMISSION_HOST: '127.0.0.1' }
  bench = await openAppBench({ settings })
})
after(() => bench?.close())

const mail = {
  name: 'Your receipt',
  channel: 'email',
  subject: 'Receipt {{ number }}',
  html: '<p>Hello {{ contact.name }}</p><script>top.document.title = "owned"</script>',
}

for (const { theme, width } of looks) {
  test(`the template and key pages have no accessibility fault, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const look = `${theme}-${width}`
    const business = await bench.testbed.newBusiness()
    const owner = await bench.testbed.caller({ businesses: [business] })
    const visit = await visitApp(bench, { businesses: [business], theme, width, path: '/keys' })
    const { page, root } = visit
    await page.getByText('No API keys yet').waitFor()
    await page.getByRole('heading', { name: 'Send over SMTP' }).waitFor()
    await page.getByText(String(smtpPort), { exact: true }).waitFor()
    await assertSound(visit, `app-keys-empty-${look}`)
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Shop')
    await assertSound(visit, `app-key-new-${look}`)
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click()
    await page.getByText(/^crk_/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('Never used').waitFor()
    await assertSound(visit, `app-keys-${look}`)
    await page.goto(`${root}/templates`)
    await page.getByText('No templates yet').waitFor()
    await owner.get('template.save', mail)
    await page.reload()
    await page.getByRole('link', { name: 'Your receipt' }).click()
    await page.frameLocator('iframe').getByText('Hello Ana').waitFor()
    // The browser says that the frame ran no script, which is as it should be.
    visit.complaints.splice(0)
    await assertSound(visit, `app-template-${look}`)
    assert.doesNotMatch(await page.title(), /owned/)
    await visit.close()
  })
}

test('an admin marks a template as transactional, and an editor only sees the mark', {
  skip,
}, async () => {
  const business = await bench.testbed.newBusiness()
  const owner = await bench.testbed.caller({ businesses: [business] })
  const { template_id } = await owner.get<{ template_id: string }>('template.save', mail)
  const path = `/templates/${template_id}`
  const isMarked = async () => {
    const input = { template_id }
    const { templates } = await owner.get<{ templates: { transactional: boolean }[] }>(
      'template.list',
      input,
    )
    return templates[0]?.transactional
  }
  const admin = await visitApp(bench, { businesses: [business], role: 'admin', path })
  await admin.page.getByLabel('Transactional', { exact: true }).press('Space')
  await admin.page.getByText('Marked as transactional').waitFor()
  assert.equal(await isMarked(), true)
  await admin.close()
  const editor = await visitApp(bench, { businesses: [business], role: 'editor', path })
  const box = editor.page.getByLabel('Transactional', { exact: true })
  await box.waitFor()
  assert.deepEqual([await box.isChecked(), await box.isDisabled()], [true, true])
  await editor.close()
})

const statusWith = async (key: string) => {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${bench.testbed.service.url}/v1/businesses`, { headers })).status
}

test('an API key is created by keyboard, works, is shown once and is revoked', {
  skip,
}, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const { page, complaints, close } = await visitApp(bench, { businesses, path: '/keys' })
  const button = page.getByRole('button', { name: 'New key' }).first()
  await button.press('Enter')
  const name = page.getByLabel('Name', { exact: true })
  await name.focus()
  await page.keyboard.type('Shop')
  await page.getByLabel('Send email and text messages').press('Space')
  await page.getByLabel('Recipients per 24 hours', { exact: true }).fill('20')
  await name.press('Enter')
  await page.getByText('It can send to 20 recipients per 24 hours.').waitFor()
  const key = (await page.getByText(/^crk_/).textContent()) ?? ''
  assert.equal(await statusWith(key), 200)
  await page.keyboard.press('Escape')
  await page.getByText('0 of 20 recipients in 24 hours').waitFor()
  assert.ok(!(await page.content()).includes(key), 'it is shown once')
  await page.getByRole('button', { name: 'Limit Shop' }).press('Enter')
  await page.getByLabel('Read-only').press('Space')
  await page.getByLabel('Recipients per 24 hours', { exact: true }).fill('5')
  await page.keyboard.press('Enter')
  await page.getByText('0 of 5 recipients in 24 hours').waitFor()
  await page.getByText('Read-only', { exact: true }).waitFor()
  const recent = page.getByRole('button', { name: 'Recent calls' })
  await recent.press('Enter')
  await page.getByText('business.list').waitFor()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText('No API keys yet').waitFor()
  assert.equal(await statusWith(key), 401)
  assert.deepEqual(complaints, [])
  await close()
})

test('a task sets the permissions and the role of a key, which may be changed', {
  skip,
}, async () => {
  const business = await bench.testbed.newBusiness()
  const { page, close } = await visitApp(bench, { businesses: [business], path: '/keys' })
  await page.getByRole('button', { name: 'New key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Shop')
  const task = dialog.getByLabel('Task', { exact: true })
  await assertValue(task, '')
  await task.selectOption('Send receipts and notifications')
  await assertValue(dialog.getByLabel('Role', { exact: true }), 'editor')
  await assertValue(dialog.getByLabel('Recipients per 24 hours', { exact: true }), '1000')
  await dialog.getByLabel('See forms').check()
  await assertValue(task, '')
  await dialog.getByLabel('See forms').uncheck()
  await assertValue(task, 'send')
  await dialog.getByRole('button', { name: 'New key' }).click()
  const key = (await page.getByText(/^crk_/).textContent()) ?? ''
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${bench.testbed.service.url}/v1/me`, { headers })
  const { scopes, businesses } = (await answer.json()) as {
    scopes: string[]
    businesses: { role: string }[]
  }
  assert.deepEqual(scopes.toSorted(), ['messaging:send', 'meta:read'])
  assert.deepEqual(
    businesses.map(({ role }) => role),
    ['editor'],
  )
  await close()
})

test('after 15 minutes creating a key requires a new sign-in, and the input is still there', {
  skip,
}, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const { page, close } = await visitApp(bench, { businesses, path: '/keys' })
  await page.getByRole('button', { name: 'New key' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Shop')
  const before = new Date(Date.now() - minutes(15))
  await bench.testbed.db.run(sql`update sessions set created_at = ${before}`)
  await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click()
  await page.getByText('Creating a key needs a sign-in within the last 15 minutes').waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Email me a link' }).waitFor()
  assert.match(new URL(page.url()).searchParams.get('next') ?? '', /^\/b\/bus_\w+\/keys$/)
  await page.goBack()
  await page.getByRole('button', { name: 'New key' }).first().click()
  await assertValue(page.getByLabel('Name', { exact: true }), 'Shop')
  await close()
})

test('a member who may not create API keys sees whom to ask', { skip }, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const { page, close } = await visitApp(bench, { businesses, role: 'editor', path: '/keys' })
  await page.getByText('Only admins and owners can create API keys').waitFor()
  assert.equal(await page.getByRole('button', { name: 'New key' }).count(), 0)
  await close()
})
