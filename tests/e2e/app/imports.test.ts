/** A file of contacts from the file chooser to its undo, and the export. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after, before } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'
import { hostileName, somePeople } from './people.ts'
import { assertValue } from './settled.ts'

const skip = withoutBrowser
const path = '/contacts/import'

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

const quoted = hostileName.replaceAll('"', '""')
const people = `Email address,Full name,Visits,Plan
ana@example.com,Ana Moreau,3,pro
ben@example.com,"${quoted}",5,free
ben@example.com,Ben Okafor,5,free
no address,Nobody,1,free
chloe@example.com,Chloé Dubois,12,pro
`
const file = (text: string) => ({
  name: 'people.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

async function choose(page: Page, text = people) {
  await page.locator('input[type=file]').setInputFiles(file(text))
  await page.getByRole('heading', { name: 'Contents of people.csv' }).waitFor()
}

async function agree(page: Page) {
  await page.getByLabel('They agreed to marketing email').check()
  await page.getByLabel('Where they agreed').fill('sign-up page')
  await page.getByLabel('What they agreed to, word for word').fill('Send me the newsletter.')
}

for (const { theme, width } of looks) {
  test(`the import pages have no accessibility fault at any step, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const look = `${theme}-${width}`
    const businesses = [await bench.testbed.newBusiness()]
    const visit = await visitApp(bench, { businesses, theme, width, path })
    const { page } = visit
    await page.getByText('Drop CSV files here').waitFor()
    await assertSound(visit, `app-import-${look}`)
    await choose(page)
    await agree(page)
    await assertSound(visit, `app-import-review-${look}`)
    await page.getByRole('button', { name: 'Start import' }).click()
    await page.getByText('New contacts').waitFor()
    await assertSound(visit, `app-import-result-${look}`)
    await visit.close()
  })
}

test('a file in older letters asks whether they are right once, and what is missing is said in words', {
  skip,
}, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const { page, complaints, close } = await visitApp(bench, { businesses, path })
  const buffer = Buffer.from('E-Mail;Vorname\njörg@example.com;Jörg\n', 'latin1')
  const older = { name: 'people.csv', mimeType: 'text/csv', buffer }
  await page.locator('input[type=file]').setInputFiles(older)
  const start = page.getByRole('button', { name: 'Start import' })
  await start.click()
  await page.getByText('Check the characters first').waitFor()
  const right = page.getByLabel('The characters look right')
  assert.ok(await right.evaluate((box) => box === document.activeElement))
  await page.getByText('Jörg', { exact: false }).first().waitFor()
  const encoding = page.getByLabel('File encoding')
  await encoding.selectOption({ label: 'Cyrillic (Windows-1251)' })
  await page.getByText('Jцrg', { exact: false }).first().waitFor()
  await encoding.selectOption({ label: 'Western European (Windows-1252)' })
  await page.getByText('Jörg', { exact: false }).first().waitFor()
  await right.check()
  await page.getByLabel('They agreed to marketing email').check()
  await start.click()
  await page.getByText('Enter where they agreed, or untick').waitFor()
  await agree(page)
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: 'Start import (1)' }).waitFor()
  assert.ok(await right.isChecked(), 'another check keeps it')
  await start.click()
  await page.getByText('New contacts').waitFor()
  assert.deepEqual(complaints, [])
  await close()
})

test('a file is chosen, reviewed, imported and the import undone by mouse', { skip }, async () => {
  const business = await bench.testbed.newBusiness()
  const { page, complaints, root, close } = await visitApp(bench, { businesses: [business] })
  await page.getByRole('link', { name: 'Import file' }).click()
  await choose(page)
  await page.getByText('with the address of an earlier row: 1.').waitFor()
  await page.getByText('That is not an email address').waitFor()
  await page.getByLabel('Field for “Plan”', { exact: true }).selectOption('')
  await page.getByLabel('Name of the custom field for “Visits”').fill('visits_so_far')
  await page.getByLabel('Tags for everyone in the file').fill('spring')
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: 'Start import (4)' }).waitFor()
  await agree(page)
  // The typed text is still there after a reload.
  await page.reload()
  await assertValue(page.getByLabel('Where they agreed'), 'sign-up page')
  await page.getByRole('button', { name: 'Start import' }).click()
  const refused = page.getByRole('link', { name: 'Rejected rows (1)' })
  await refused.waitFor()
  const [errors] = await Promise.all([page.waitForEvent('download'), refused.click()])
  assert.match(await readFile(await errors.path(), 'utf8'), /^no address,Nobody,1,free,/m)
  const owner = await bench.testbed.caller({ businesses: [business] })
  const { contacts } = await owner.get<{ contacts: Contact[] }>('contact.list', {
    view: 'full',
  })
  const ana = contacts.find(({ email }) => email === 'ana@example.com')
  assert.deepEqual(ana?.untrusted.attributes, { visits_so_far: 3 })
  assert.deepEqual([ana?.tags, ana?.consent.email], [['spring'], 'subscribed'])
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await page.getByText('Contacts deleted: 3').waitFor()
  await page.goto(`${root}/contacts/import`)
  await page.getByRole('link', { name: 'people.csv' }).waitFor()
  assert.doesNotMatch(await page.title(), /owned/)
  assert.deepEqual(complaints, [])
  await close()
})

interface Contact {
  email: string
  tags: string[]
  consent: { email: string }
  untrusted: { attributes: object }
}

test('a file is imported by keyboard alone, in German', { skip }, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const visit = await visitApp(bench, { businesses, path, language: 'de' })
  const { page, complaints, close } = visit
  const chosen = page.waitForEvent('filechooser')
  const button = page.getByRole('button', { name: 'Dateien wählen' })
  await page.getByText('CSV-Dateien hier ablegen').waitFor()
  await button.focus()
  await page.keyboard.press('Enter')
  const chooser = await chosen
  await chooser.setFiles(file(people))
  await page.getByRole('heading', { name: 'Inhalt von people.csv' }).waitFor()
  await page.getByLabel('Sie haben Werbung per E-Mail zugestimmt').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Anmeldeseite')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Schickt mir den Newsletter.')
  await page.getByLabel('Tags für alle in der Datei').focus()
  await page.keyboard.press('Enter')
  await page.getByText('Neue Kontakte').waitFor()
  assert.deepEqual(complaints, [])
  await close()
})

test('a dropped file that is not text is refused with the reason', {
  skip,
}, async () => {
  const businesses = [await bench.testbed.newBusiness()]
  const { page, close } = await visitApp(bench, { businesses, path })
  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['email\u0000'], 'people.xls'))
    return transfer
  })
  const target = page.getByText('Drop CSV files here').locator('..')
  await target.dispatchEvent('drop', { dataTransfer: dropped })
  await page.getByText(/It holds NUL bytes/).waitFor()
  await close()
})

test('exactly the contacts and segments shown are exported', { skip }, async () => {
  const business = await bench.testbed.newBusiness()
  const owner = await somePeople(bench.testbed, business, 12)
  await owner.get('segment.save', { name: 'Important', filter: { tag: 'vip' } })
  const { page, root, complaints, close } = await visitApp(bench, {
    businesses: [business],
    path: '/contacts?q=ana',
  })
  const lines = async (name: string) => {
    const [one] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name }).click(),
    ])
    return (await readFile(await one.path(), 'utf8')).trim().split('\r\n')
  }
  await page.getByRole('link', { name: /^ana/ }).first().waitFor()
  const shown = await page.getByRole('link', { name: /@example\.com$/ }).allTextContents()
  const found = (await lines('Export CSV')).slice(1).map((line) => line.split(',')[0])
  assert.ok(found.length > 2, 'also Tanaka')
  assert.deepEqual(new Set(found), new Set(shown))
  assert.equal(found.length, shown.length)
  await page.goto(`${root}/segments`)
  await page.getByRole('link', { name: 'Important' }).click()
  await page.getByText('6 people match now').waitFor()
  assert.equal((await lines('Export CSV')).length, 7)
  assert.deepEqual(complaints, [])
  await close()
})

for (const { theme, width } of looks) {
  test(`a file of suppressions has no fault at any step, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const look = `${theme}-${width}`
    const businesses = [await bench.testbed.newBusiness()]
    const visit = await visitApp(bench, { businesses, theme, width, path })
    const { page } = visit
    await page.getByText('Drop CSV files here').waitFor()
    await page.getByLabel('Suppressed addresses').check()
    await page.getByRole('button', { name: 'Export the current list' }).waitFor()
    await assertSound(visit, `app-import-suppressions-${look}`)
    await choose(page, 'Email Address,CLEAN_TIME,LEID\ncy@example.com,2024-06-01 08:00:00,1\n')
    await page.getByText('Reason for suppression').waitFor()
    await assertSound(visit, `app-import-suppressions-review-${look}`)
    await page.getByLabel('For rows without a reason').selectOption('manual')
    await page.getByRole('button', { name: 'Start import' }).click()
    await page.getByText('Added to the list').waitFor()
    await assertSound(visit, `app-import-suppressions-result-${look}`)
    await visit.close()
  })
}

test('people who must not be written to are put on the list by keyboard, and taken off', {
  skip,
}, async () => {
  const business = await bench.testbed.newBusiness()
  const { page, complaints, close } = await visitApp(bench, { businesses: [business], path })
  await page.getByText('Drop CSV files here').waitFor()
  await page.getByLabel('Contacts', { exact: false }).first().focus()
  await page.keyboard.press('ArrowDown')
  await choose(page, 'email,status\nana@example.com,Spam complaint\nben@example.com,enabled\n')
  await page.getByRole('button', { name: 'Start import (1)' }).press('Enter')
  await page.getByText('Added to the list').waitFor()
  const owner = await bench.testbed.caller({ businesses: [business] })
  const listed = async () => {
    const { suppressions } = await owner.get<{ suppressions: { reason: string }[] }>(
      'suppression.list',
      {},
    )
    return suppressions.map(({ reason }) => reason)
  }
  assert.deepEqual(await listed(), ['complaint'])
  await page.getByRole('button', { name: 'Undo import' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await page.getByText('Removed from the list: 1').waitFor()
  assert.deepEqual(await listed(), [])
  assert.deepEqual(complaints, [])
  await close()
})

/** A zip archive as Mailchimp sends it: packed files, and a list of them at the end. */
function archiveOf(files: Record<string, string>): Buffer {
  const heads: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x0403_4b50)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x0201_4b50)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    const stored = Buffer.concat([head, Buffer.from(name), packed])
    at += stored.length
    heads.push(stored)
    entries.push(Buffer.concat([entry, Buffer.from(name)]))
  }
  const list = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50)
  end.writeUInt16LE(heads.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...heads, list, end])
}

test('Mailchimp’s archive is imported file by file, who left first, with numbers of a country', {
  skip,
}, async () => {
  const business = await bench.testbed.newBusiness()
  const owner = await bench.testbed.caller({ businesses: [business] })
  await owner.get('topic.save', { topic: 'news', name: 'News' })
  const { page, complaints, close } = await visitApp(bench, { businesses: [business], path })
  const head = 'Email Address,First Name,Telefon,Stufe,OPTIN_TIME,CONFIRM_TIME'
  const buffer = archiveOf({
    'subscribed_email_audience_export_1.csv': `${head}\nana@example.com,Ana,030 901820,Gold,2024-01-02 10:00:00,2024-01-02 10:05:00\nlea@example.com,Lea,,,2024-01-02 10:00:00,2024-01-02 10:05:00\n`,
    'cleaned_email_audience_export_1.csv': `Email Address,CLEAN_TIME\ngone@example.com,2024-05-01 10:00:00\n`,
    'unsubscribed_email_audience_export_1.csv': `Email Address,UNSUB_TIME\nlea@example.com,2024-06-01 10:00:00\n`,
  })
  const zip = { name: 'audience_export.zip', mimeType: 'application/zip', buffer }
  await page.locator('input[type=file]').setInputFiles(zip)
  await page.getByRole('heading', { name: /unsubscribed_/ }).waitFor()
  await page.getByRole('button', { name: /^Start import/ }).click()
  await page.getByRole('link', { name: /Next file to review: cleaned_/ }).click()
  await page.getByText('For rows without a reason').waitFor()
  await assertValue(page.getByLabel('For rows without a reason'), 'bounce')
  await page.getByRole('button', { name: /^Start import/ }).click()
  await page.getByRole('link', { name: /Next file to review: subscribed_/ }).click()
  await page.getByLabel('Country of numbers without a country code').selectOption('DE')
  await assertValue(page.getByLabel('Field for “Telefon”', { exact: true }), 'phone')
  const level = page.getByRole('listitem').filter({ hasText: 'Stufe' })
  await level.getByRole('button', { name: 'Change values' }).click()
  await page.getByLabel('Import “Gold” as').fill('1')
  await agree(page)
  await page.getByLabel('News', { exact: true }).check()
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByLabel('Field', { exact: true }).fill('from')
  await page.getByLabel('Value', { exact: true }).fill('mailchimp')
  await page.getByRole('button', { name: /^Start import/ }).click()
  await page.getByText('New contacts').waitFor()
  await page.getByRole('link', { name: 'View contacts' }).waitFor()
  type Listed = Contact & { phone: string; topics: { email: object }; standing: { email: string } }
  const { contacts } = await owner.get<{ contacts: Listed[] }>('contact.list', {
    view: 'full',
  })
  const by = (email: string) => contacts.find((contact) => contact.email === email)
  const ana = by('ana@example.com')
  assert.deepEqual(
    [ana?.standing.email, ana?.phone, ana?.topics.email, ana?.untrusted.attributes],
    ['subscribed', '+4930901820', { news: 'subscribed' }, { stufe: '1', from: 'mailchimp' }],
  )
  assert.equal(by('lea@example.com')?.standing.email, 'unsubscribed')
  assert.equal(by('gone@example.com'), undefined)
  const { suppressions } = await owner.get<{ suppressions: { reason: string }[] }>(
    'suppression.list',
  )
  assert.deepEqual(
    suppressions.map(({ reason }) => reason),
    ['bounce'],
  )
  assert.deepEqual(complaints, [])
  await close()
})
