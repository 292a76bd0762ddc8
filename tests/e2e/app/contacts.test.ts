/** The contacts page: finding people, one of them in the drawer, adding, editing, erasing. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { eventually } from '../../support/time/eventually.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'
import { hostileName, somePeople } from './people.ts'
import { assertCount, assertValue } from './settled.ts'

const skip = withoutBrowser
const path = '/contacts'

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

async function peopled(count: number) {
  const business = await bench.testbed.newBusiness()
  const owner = await somePeople(bench.testbed, business, count)
  return { businesses: [business], owner }
}

for (const { theme, width } of looks) {
  test(`the contacts page has no accessibility fault in any state, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const look = `${theme}-${width}`
    const empty = await visitApp(bench, {
      businesses: [await bench.testbed.newBusiness()],
      theme,
      width,
      path,
    })
    await empty.page.getByText('No contacts yet').waitFor()
    await assertSound(empty, `app-contacts-empty-${look}`)
    await empty.close()

    const { businesses } = await peopled(40)
    const visit = await visitApp(bench, { businesses, theme, width, path })
    const { page } = visit
    await page.getByRole('button', { name: /^Subscribed 3\d$/ }).waitFor()
    await assertSound(visit, `app-contacts-${look}`)
    await page
      .getByRole('checkbox', { name: /^Select .*@/ })
      .first()
      .check()
    await page.getByText('1 selected').waitFor()
    await assertSound(visit, `app-contacts-selected-${look}`)
    await page
      .getByRole('link', { name: /@example.com$/ })
      .first()
      .click()
    await page.getByRole('dialog').getByText('Timeline').waitFor()
    await page.getByRole('dialog').getByText('checkout page').first().waitFor()
    await assertSound(visit, `app-contact-${look}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog', { name: 'Edit contact' }).waitFor()
    await assertSound(visit, `app-contact-edit-${look}`)
    await page.goto(`${visit.root}${path}?edit=true&filter=${encodeURIComponent('{"tag":"vip"}')}`)
    await page.getByText('20 people match').waitFor()
    await assertSound(visit, `app-contacts-filter-${look}`)
    await visit.close()
  })
}

test('a contact is added, found, edited, suppressed and erased by mouse', { skip }, async () => {
  const { businesses } = await peopled(12)
  const { page, complaints, close } = await visitApp(bench, { businesses, path })
  await page.getByRole('button', { name: 'Add contact' }).click()
  const form = page.getByRole('dialog', { name: 'Add a contact' })
  await form.getByRole('button', { name: 'Add contact' }).click()
  await form.getByText('Enter an email address or a phone number.').waitFor()
  await form.getByLabel('Email', { exact: true }).fill('zoe@example.com')
  await form.getByLabel('First name').fill('Zoe')
  await form.getByLabel('Last name').fill('Lindt')
  await form.getByLabel('This person agreed').check()
  await form.getByLabel('Where they agreed').fill('at the till')
  await form.getByRole('button', { name: 'Add contact' }).click()
  await page.getByText('Contact added').waitFor()

  await page.getByRole('searchbox').fill('lindt')
  await page.waitForURL(/q=lindt/)
  const row = page.getByRole('link', { name: 'zoe@example.com' })
  await row.click()
  const drawer = page.getByRole('dialog', { name: 'Zoe Lindt' })
  await drawer.getByText('Lindt', { exact: true }).waitFor()
  await drawer.getByText('at the till').waitFor()
  await drawer.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit contact' })
  await edit.getByLabel('Tags').fill('vip, till')
  await edit.getByRole('button', { name: 'Add field' }).click()
  await edit.getByLabel('Field', { exact: true }).fill('plan')
  await edit.getByLabel('Value').fill('pro')
  await edit.getByRole('button', { name: 'Save', exact: true }).click()
  await drawer.getByText('till', { exact: true }).waitFor()
  await drawer.getByText('pro', { exact: true }).waitFor()

  await drawer.getByLabel('Add a note').fill('Wants oat milk.\nCalls on Fridays.')
  await drawer.getByRole('button', { name: 'Save note' }).click()
  await drawer.getByText('Wants oat milk.').waitFor()
  await drawer.getByRole('button', { name: 'Delete note' }).click()
  await drawer.getByText('Note deleted').waitFor()
  assert.equal(await drawer.getByText('Wants oat milk.').count(), 0)

  await drawer.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Suppress' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suppress' }).click()
  await drawer.getByText('Suppressed for Email').waitFor()
  await drawer.getByText('Stopped by you').waitFor()
  await drawer.getByRole('button', { name: 'Lift' }).click()
  const lift = page.getByRole('dialog', { name: 'Lift the suppression of zoe@example.com?' })
  await lift.getByLabel('Reason').fill('stopped by mistake')
  await lift.getByRole('button', { name: 'Lift the suppression' }).click()
  await drawer.getByText('Suppressed for Email').waitFor({ state: 'detached' })
  await drawer.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Erase permanently' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Erase permanently' }).click()
  // A similar name may be shown in its place.
  await row.waitFor({ state: 'hidden' })
  await page.getByRole('searchbox').fill('zoe@example')
  await page.getByText('No contacts match this search.').waitFor()
  assert.deepEqual(complaints, [])
  await close()
})

test('who searches an address that nobody has is told that those listed are similar ones', {
  skip,
}, async () => {
  const { businesses, owner } = await peopled(1)
  await owner.get('contact.upsert', { email: 'clientele7@example.com', name: 'Ana Riva' })
  const similar = () =>
    owner.get<{ contacts: unknown[] }>('contact.list', { q: 'clientele@example.com' })
  await eventually(similar, ({ contacts }) => contacts.length > 0)
  const { page, close } = await visitApp(bench, { businesses, path })
  const hint = page.getByText('Nobody has this address. These are similar.')
  const found = page.getByRole('link', { name: /@example\.com$/ })
  await found.nth(1).waitFor()
  await page.getByRole('searchbox').fill('clientele@example.com')
  await assertCount(found, 1)
  await hint.waitFor()
  await assertCount(found, 1)
  await page.getByRole('link', { name: 'clientele7@example.com' }).waitFor()
  await page.getByRole('searchbox').fill('clientele7@example')
  await hint.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'clientele7@example.com' }).waitFor()
  await close()
})

test('adding a known address shows the person, and selected people are changed together', {
  skip,
}, async () => {
  const { businesses, owner } = await peopled(3)
  const { page, complaints, close } = await visitApp(bench, { businesses, path })
  const links = page.getByRole('link', { name: /@example.com$/ })
  await assertCount(links, 3)
  const address = (await links.first().textContent()) ?? ''
  await page.getByRole('button', { name: 'Add contact' }).click()
  const form = page.getByRole('dialog', { name: 'Add a contact' })
  await form.getByLabel('Email', { exact: true }).fill(address.toUpperCase())
  await form.getByLabel('Full name').fill('Somebody Else')
  await form.getByRole('button', { name: 'Add contact' }).click()
  const drawer = page.getByRole('dialog').filter({ hasText: 'Timeline' })
  await drawer.waitFor()
  assert.match(page.url(), /open=con_/)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })

  type Listed = { tags: string[]; standing: object; untrusted: { name: string } }
  const whole = { view: 'full' }
  const listed = async () =>
    (await owner.get<{ contacts: Listed[] }>('contact.list', whole)).contacts
  assert.ok((await listed()).every(({ untrusted }) => untrusted.name !== 'Somebody Else'))
  const change = async (button: string, label?: string, text = '') => {
    const rows = page.getByRole('checkbox', { name: /^Select .*@/ })
    for (const row of await rows.all()) await row.check()
    await page.getByRole('button', { name: button, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: button })
    if (label !== undefined) await dialog.getByLabel(label).fill(text)
    await dialog.getByRole('button', { name: button, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await change('Add a tag', 'Tag', 'fair')
  assert.ok((await listed()).every(({ tags }) => tags.includes('fair')))
  await change('Remove a tag', 'Tag', 'fair')
  assert.ok((await listed()).every(({ tags }) => !tags.includes('fair')))
  await change('Unsubscribe', 'Reason', 'asked by phone')
  for (const { standing } of await listed()) {
    assert.deepEqual(standing, { email: 'unsubscribed', sms: 'none' })
  }
  await change('Delete')
  assert.deepEqual(await listed(), [])
  assert.deepEqual(complaints, [])
  await close()
})

test('contacts are browsed, opened and selected by keyboard alone, and back and forward restore the view', {
  skip,
}, async () => {
  const { businesses } = await peopled(12)
  const { page, close } = await visitApp(bench, { businesses })
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await page
    .getByRole('link', { name: /@example.com$/ })
    .first()
    .waitFor()
  for (const key of ['j', 'j', 'x']) await page.keyboard.press(key)
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('1 selected').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('Timeline').waitFor()
  assert.match(page.url(), /open=con_/)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.doesNotMatch(page.url(), /open=/)
  await page.keyboard.press('/')
  await page.keyboard.type('ana')
  await page.waitForURL(/q=ana/)
  await page.goBack()
  await page.goForward()
  await page.waitForURL(/q=ana/)
  await assertValue(page.getByRole('searchbox'), 'ana')
  await close()
})

test('a filter is built from conditions, counted and saved as a segment', { skip }, async () => {
  const { businesses, owner } = await peopled(40)
  const { page, close } = await visitApp(bench, { businesses, path })
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByLabel('Value').fill('vpi')
  await page.getByText('Nobody has “vpi”.').waitFor()
  await page.getByRole('button', { name: 'Did you mean vip?' }).click()
  await page.getByText('20 people match').waitFor()
  const add = page.getByRole('button', { name: 'Add condition' })
  await add.click()
  const fields = page.getByLabel('Field', { exact: true })
  await fields.nth(1).selectOption('attribute')
  await page.getByLabel('Field name').fill('Vists')
  await page.getByText('No contact has a field “Vists”.').waitFor()
  await page.getByRole('button', { name: 'Did you mean visits?' }).click()
  assert.equal(await fields.nth(1).locator('option:checked').textContent(), 'visits (40)')
  await page.getByLabel('Operator').nth(1).selectOption('lt')
  await page.getByLabel('Value').nth(1).fill('8')
  await page.getByText('4 people match').waitFor()
  await assertCount(page.getByRole('link', { name: /@example.com$/ }), 4)
  await add.click()
  await fields.nth(2).selectOption('did_not')
  await page.getByLabel('Operator').nth(2).selectOption('message.opened')
  await page.getByLabel('Value').nth(2).fill('60')
  await page.getByRole('button', { name: 'Add group' }).click()
  await page.getByLabel('Group: people who match').selectOption('none')
  await fields.nth(3).selectOption('attributes.plan')
  await page.getByLabel('Value').nth(3).fill('free')
  await page.getByText('2 people match').waitFor()
  await page.getByText('As JSON').waitFor()
  await page.getByRole('button', { name: 'Save as segment' }).click()
  await page.getByLabel('Segment name').fill('New and important')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Segment “New and important” saved').waitFor()
  const { segments } = await owner.get<{ segments: { filter: object }[] }>('segment.list', {
    view: 'full',
  })
  assert.deepEqual(segments[0]?.filter, {
    and: [
      { tag: 'vip' },
      { field: 'attributes.visits', op: 'lt', value: 8 },
      { did_not: 'message.opened', within: '60 days' },
      { not: { field: 'attributes.plan', op: 'is', value: 'free' } },
    ],
  })
  await page.reload()
  await page.getByText('2 people match').waitFor()
  await assertCount(fields, 4)
  await close()
})

test('the table reaches every contact page by page and renders only the visible rows', {
  skip,
}, async () => {
  const { businesses } = await peopled(350)
  const { page, close } = await visitApp(bench, { businesses, path })
  const links = page.getByRole('link', { name: /@example.com$/ })
  await links.first().waitFor()
  const frame = page.locator('table').locator('..')
  // The contact that was added first is at the end.
  const last = page.getByRole('link', { name: 'ana.moreau.1@example.com' })
  while ((await last.count()) === 0) {
    await frame.evaluate((node) => node.scrollBy(0, 4_000))
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  assert.ok((await links.count()) < 100, `${await links.count()} rows are drawn`)
  await close()
})

test('a second tab shows changes made in the first tab', { skip }, async () => {
  const { businesses } = await peopled(3)
  const { page, root, close } = await visitApp(bench, { businesses, path })
  const second = await page.context().newPage()
  await second.goto(root + path)
  await second.getByRole('button', { name: /^All 3$/ }).waitFor()
  await page.getByRole('button', { name: 'Add contact' }).click()
  await page.getByLabel('Email', { exact: true }).fill('new@example.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Add contact' }).click()
  await second.getByRole('link', { name: 'new@example.com' }).waitFor()
  await close()
})

test('a viewer sees all contacts and can change nothing', { skip }, async () => {
  const { businesses } = await peopled(2)
  const { page, close } = await visitApp(bench, { businesses, role: 'viewer', path })
  await page
    .getByRole('link', { name: /@example.com$/ })
    .first()
    .click()
  await page.getByRole('dialog').getByText('Timeline').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0)
  await page.keyboard.press('Escape')
  assert.equal(await page.getByRole('button', { name: 'Add contact' }).count(), 0)
  assert.equal(await page.getByRole('checkbox').count(), 0)
  await close()
})

test('hostile names, tags and fields are shown and have no effect', { skip }, async () => {
  const { businesses, owner } = await peopled(1)
  await owner.get('contact.upsert', {
    email: 'mallory@example.com',
    name: hostileName,
    tags: ['<b>tag</b>'],
    attributes: { '<i>field</i>': '{{constructor.constructor("alert(1)")()}}' },
  })
  const { page, complaints, close } = await visitApp(bench, { businesses, path })
  await page.getByRole('link', { name: 'mallory@example.com' }).click()
  await page.getByRole('dialog').getByText('<i>field</i>').waitFor()
  assert.doesNotMatch(await page.title(), /owned/)
  assert.equal(await page.locator('img[src=x]').count(), 0)
  assert.deepEqual(complaints, [])
  await close()
})

test('two people edit one contact: the second sees both, and nothing of either is lost', {
  skip,
}, async () => {
  const { businesses, owner } = await peopled(1)
  const [email, before] = ['ida@example.com', { name: 'Ida', attributes: { city: 'Rome' } }]
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    email,
    ...before,
  })
  const open = `${path}?open=${contact_id}`
  const visit = await visitApp(bench, { businesses, path: open })
  const { page } = visit
  const drawer = page.getByRole('dialog', { name: 'Ida' })
  await drawer.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit contact' })
  await edit.getByLabel('Full name').fill('Ida by Ana')
  await edit.getByLabel('Tags').fill('vip')
  const theirs = { name: 'Ida by Ben', language: 'de', attributes: { plan: 'gold' } }
  await owner.get('contact.upsert', { email, ...theirs })
  const both = page.getByRole('region', { name: 'Two versions' })
  await both.getByText('Ida by Ben').waitFor()
  await both.getByText('Ida by Ana').waitFor()
  await assertSound(visit, 'app-contact-two-versions')
  await both.getByRole('button', { name: 'Keep mine' }).press('Enter')
  await both.waitFor({ state: 'detached' })
  await edit.getByRole('textbox', { name: 'Value' }).first().fill('Oslo')
  await edit.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await edit.waitFor({ state: 'detached' })
  type Whole = { language: string; tags: string[]; untrusted: object }
  const { language, tags, untrusted } = await owner.get<Whole>('contact.get', { contact_id })
  const attributes = { city: 'Oslo', plan: 'gold' }
  assert.deepEqual(
    { language, tags, ...untrusted },
    {
      language: 'de',
      tags: ['vip'],
      name: 'Ida by Ana',
      first_name: null,
      last_name: null,
      attributes,
    },
  )
  assert.deepEqual(visit.complaints, [])
  await visit.close()
})
