/**
 * Two people edit one thing, the connection fails in mid-save, the session ends in mid-edit: in each
 * editor of the app the person is told, and nothing that they typed is lost.
 */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'
import { editorsOf } from './editors.ts'
import { assertValue } from './settled.ts'

const skip = withoutBrowser

let bench: AppBench
before(async () => {
  if (!skip) bench = await openAppBench()
})
after(() => bench?.close())

const editors = editorsOf(() => bench)

/** Resolves once nothing is unsaved. */
const nothingKept = (page: Page) =>
  page.waitForFunction(
    () => !Object.keys(localStorage).some((key) => key.startsWith('crier-unsaved')),
  )

const keptKeys = (page: Page) =>
  page.evaluate(() =>
    [localStorage, sessionStorage].flatMap((place) =>
      Object.keys(place).filter((key) => key.startsWith('crier-unsaved')),
    ),
  )

for (const { name, route, open, type, shown, save } of editors) {
  test(`two people edit ${name}: the second is told who saved, sees both, and chooses`, {
    skip,
  }, async () => {
    const { businesses, path, stored, savedByBen } = await open()
    const { page, complaints, close } = await visitApp(bench, { businesses, path })
    await type(page, 'by-ana')
    // The notice comes by itself, because the app is told of changes.
    await savedByBen('by-ben')
    const both = page.getByRole('region', { name: 'Two versions' })
    await both.getByText(/@.* saved another version/).waitFor()
    await both.getByText('by-ben').waitFor()
    await both.getByText('by-ana').waitFor()
    assert.equal(await shown(page), 'by-ana')
    await both.getByRole('button', { name: 'Keep mine' }).press('Enter')
    await both.waitFor({ state: 'detached' })
    await save(page)
    await nothingKept(page)
    assert.equal(await stored(), 'by-ana')
    await close()

    const again = await open()
    const visit = await visitApp(bench, { businesses: again.businesses, path: again.path })
    await type(visit.page, 'by-ana')
    await again.savedByBen('by-ben')
    await visit.page.getByRole('button', { name: 'Use saved version' }).click()
    await visit.page.getByRole('region', { name: 'Two versions' }).waitFor({ state: 'detached' })
    assert.equal(await shown(visit.page), 'by-ben')
    assert.deepEqual(await keptKeys(visit.page), [])
    assert.deepEqual([...complaints, ...visit.complaints], [])
    await visit.close()
  })

  test(`the connection fails while ${name} is saved: told, kept, and saved once it is back`, {
    skip,
  }, async () => {
    const { businesses, path, stored, version } = await open()
    const before = await version()
    const { page, close } = await visitApp(bench, { businesses, path })
    await type(page, 'typed')
    let tries = 0
    let isBack = false
    const lost = Promise.withResolvers<void>()
    await page.route(route, async (sent) => {
      if (sent.request().method() !== 'PATCH' || isBack) return sent.fallback()
      tries += 1
      // The second try arrives, and its answer is lost.
      if (tries === 2) {
        await sent.fetch()
        lost.resolve()
      }
      return sent.abort('connectionreset')
    })
    await save(page)
    await page.getByText('Not saved yet: the service cannot be reached.').waitFor()
    assert.equal(await shown(page), 'typed')
    assert.ok((await keptKeys(page)).length > 0, 'the change is kept in the browser')
    await lost.promise
    isBack = true
    await nothingKept(page)
    await page.getByText('Not saved yet').waitFor({ state: 'detached' })
    assert.equal(await stored(), 'typed')
    assert.equal(await version(), before + 1, 'it was saved once')
    await close()
  })

  test(`the session ends while ${name} is edited: after signing in the edit is there`, {
    skip,
  }, async () => {
    const { businesses, path, stored } = await open()
    const { page, close } = await visitApp(bench, { businesses, path })
    await type(page, 'typed')
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await save(page)
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByRole('button', { name: 'Sign in' }).press('Enter')
    await page.waitForURL(/\/login\?next=/)
    const next = new URL(page.url()).searchParams.get('next') ?? ''
    await page.context().addCookies(cookies)
    await page.goto(new URL(next, page.url()).href)
    await page.getByText(/Your unsaved changes from .* are still here/).waitFor()
    assert.equal(await shown(page), 'typed')
    await save(page)
    await nothingKept(page)
    assert.equal(await stored(), 'typed')
    await close()
  })
}

const [content] = editors

test('a change of other fields is put on top of what somebody else saved', { skip }, async () => {
  assert.ok(content)
  const { businesses, path, ben, stored } = await content.open()
  const { page, close } = await visitApp(bench, { businesses, path })
  await content.type(page, 'mine')
  const campaign_id = path.split(/[/?]/)[2]
  await ben.get('campaign.save', { campaign_id, content: { preheader: 'theirs' } })
  await page.getByText('Someone else saved other parts').waitFor()
  await assertValue(page.getByLabel('Preview line'), 'theirs')
  await content.save(page)
  await page.getByText('Draft saved').waitFor()
  assert.equal(await stored(), 'mine')
  await close()
})

test('a change outlives a closed tab, and signing out deletes it', { skip }, async () => {
  assert.ok(content)
  const { businesses, path } = await content.open()
  const { page, root, close } = await visitApp(bench, { businesses, path })
  await content.type(page, 'typed')
  const other = await page.context().newPage()
  await page.close()
  await other.goto(root + path)
  await other.getByText(/Your unsaved changes from/).waitFor()
  assert.equal(await content.shown(other), 'typed')
  await other.goto(new URL('/account/invitations', root).href)
  await other.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await other.waitForURL((url) => !url.pathname.startsWith('/account'))
  assert.deepEqual(await keptKeys(other), [])
  await close()
})

for (const [turn, { theme, width }] of looks.entries()) {
  test(`two versions side by side have no fault, ${theme} at ${width}`, { skip }, async () => {
    for (const [place, { open, type }] of editors.entries()) {
      // The same parts show them in each editor, so that each is looked at once.
      if (place % looks.length !== turn) continue
      const { businesses, path, savedByBen } = await open()
      const visit = await visitApp(bench, { businesses, path, theme, width })
      await type(visit.page, 'by-ana')
      await savedByBen('by-ben')
      await visit.page.getByRole('button', { name: 'Keep mine' }).waitFor()
      await assertSound(visit, `app-two-versions-${place}-${theme}-${width}`)
      await visit.close()
    }
  })
}
