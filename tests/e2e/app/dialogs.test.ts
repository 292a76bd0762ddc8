/**
 * Every dialog and drawer of the app, by keyboard: it takes the focus, keeps it, and gives it back to
 * what opened it. A dialog in a new file needs its line here.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { type Id, parseId } from 'crier-server/core/ids.ts'
import { demoOwner } from 'crier-server/demo/make.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Page } from 'playwright-core'
import { newApiKey } from '../../support/clients/api-keys.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { eventually } from '../../support/time/eventually.ts'
import { type DemoBench, openDemoBench } from './demo-bench.ts'
import { dialogsOf } from './keyboard.ts'
import { stillness } from './still.ts'

const skip = withoutBrowser

let bench: DemoBench
before(async () => {
  if (skip) return
  bench = await openDemoBench()
  await troubleMembers()
})
after(() => bench?.close())

/**
 * What owners decide about colleagues: apps that the company's sign-in holds, a key of somebody else, a
 * new second factor, and a reset of one.
 */
async function troubleMembers() {
  const { db } = bench.testbed
  const businessId = parseId('business', bench.root.split('/').at(-1) ?? '')
  assert.ok(businessId)
  const { sam, kim, owner } = await db.one<Record<'sam' | 'kim' | 'owner', Id<'user'>>>(sql`
    select (select id from users where email = 'sam.approver@example.com') as sam,
      (select id from users where email = 'kim.editor@example.com') as kim,
      (select id from users where email = ${demoOwner}) as owner
  `)
  await db.run(sql`
    update memberships set held_at = now(), held_by = 'https://login.works.example'
    where business_id = ${businessId} and user_id = ${sam}
  `)
  await db.run(sql`
    insert into authenticator_apps (user_id, secret, added_at)
    select id, 'x', now() from unnest(${[sam, kim]}::uuid[]) as id
  `)
  await db.run(sql`
    update users set factor_waits_until = now() + interval '1 year' where id = ${kim}
  `)
  await db.run(sql`
    insert into factor_resets (business_id, user_id, asked_by, asked_at, due_at)
    values (${businessId}, ${sam}, ${owner}, now(), now() + interval '1 year')
  `)
  await newApiKey(db, { businessId, userId: sam, name: 'Till' })
}

interface Opened {
  /** The file of web/src that has the dialog. */
  file: string
  path: string
  /** What is pressed, one after another; the last opens the dialog. */
  press: readonly (string | RegExp)[]
}

const dialogs: readonly Opened[] = [
  { file: 'shell/businesses', path: '', press: [/Switch business/] },
  { file: 'shell/palette', path: '', press: [/Search or go to/] },
  { file: 'shell/keys-help', path: '', press: ['Keyboard shortcuts'] },
  { file: 'shell/help', path: '/forms', press: ['Help with this page'] },
  { file: 'pages/contacts/contact-form', path: '/contacts', press: ['Add contact'] },
  {
    file: 'pages/contacts/edit-contact',
    path: '/contacts',
    press: [/@example\.com$/, 'Edit'],
  },
  { file: 'pages/businesses/new-business', path: '/businesses', press: ['New business'] },
  { file: 'pages/contacts/contact-drawer', path: '/contacts', press: [/@example\.com$/] },
  {
    file: 'pages/contacts/save-segment',
    path: '/contacts?edit=true&filter={"tag":"customer"}',
    press: ['Save as segment'],
  },
  { file: 'pages/segments/segment-drawer', path: '/segments', press: ['Regulars'] },
  { file: 'pages/topics/topics', path: '/topics', press: ['New topic'] },
  { file: 'parts/lift', path: '/suppressions', press: [/^Lift /] },
  { file: 'parts/for-developers', path: '/campaigns/{sent}', press: ['For developers'] },
  { file: 'pages/forms/forms', path: '/forms', press: ['New form'] },
  {
    file: 'pages/forms/submissions',
    path: '/forms/{form}?tab=submissions',
    press: [/@example\.com$/],
  },
  { file: 'pages/campaigns/new-campaign', path: '/campaigns', press: ['New campaign'] },
  { file: 'pages/campaigns/duplicate', path: '/campaigns/{sent}', press: ['Send again'] },
  { file: 'pages/campaigns/rename', path: '/campaigns/{sent}', press: ['Rename'] },
  { file: 'pages/campaigns/controls', path: '/campaigns/{sending}', press: ['Cancel campaign'] },
  { file: 'pages/automations/new-automation', path: '/automations', press: ['New automation'] },
  {
    file: 'pages/automations/send-fields',
    path: '/automations/{automation}?tab=edit',
    press: ['New email from the gallery'],
  },
  { file: 'pages/feeds/feed', path: '/feeds/{feed}?tab=issues', press: ['Delete feed'] },
  { file: 'pages/messages/message-drawer', path: '/messages', press: [/@example\.com$/] },
  { file: 'pages/templates/new-template', path: '/templates', press: ['New template'] },
  { file: 'pages/domains/domains', path: '/domains', press: ['Add domain'] },
  { file: 'pages/domains/domain-card', path: '/domains', press: ['Remove'] },
  { file: 'pages/webhooks/webhook-form', path: '/webhooks', press: ['Add webhook'] },
  { file: 'pages/webhooks/deliveries', path: '/webhooks', press: [/^contact\.updated/] },
  { file: 'pages/keys/new-key', path: '/keys', press: ['New key'] },
  { file: 'parts/connections/limit-dialog', path: '/keys', press: [/^Limit /] },
  { file: 'pages/keys/keys', path: '/keys', press: ['Take over Till'] },
  { file: 'pages/keys/revoke-key', path: '/keys', press: ['Revoke key'] },
  { file: 'parts/connections/limit-dialog', path: '/connections', press: [/^Limit /] },
  { file: 'pages/account/connections', path: '/connections', press: [/^Revoke /] },
  { file: 'pages/settings/member-form', path: '/members', press: ['Invite member'] },
  { file: 'pages/settings/close-business', path: '/settings', press: ['Close business'] },
  { file: 'pages/settings/members', path: '/members', press: [/^Remove/] },
  { file: 'pages/settings/members', path: '/members', press: ['Let this member go on'] },
  { file: 'pages/settings/members', path: '/members', press: ['Confirm reset'] },
  { file: 'pages/settings/members', path: '/members', press: ['Reset second factor'] },
  { file: 'pages/settings/members', path: '/members', press: ['Confirm second factor'] },
  { file: 'pages/audit/entry-drawer', path: '/audit', press: ['Sent or scheduled a campaign'] },
]

/** Dialogs for which the demo data has no occasion; the tests of their pages open them by keyboard. */
const elsewhere = [
  'pages/campaigns/ab-test/test-results',
  'pages/templates/template-page',
  'pages/templates/key-and-tags',
  'parts/content/take-template',
  'parts/pictures/picture-shelf',
  'pages/account/sessions',
  'pages/account/passkeys',
  'pages/account/authenticator-app',
  'pages/account/recovery-codes',
  'pages/account/address',
  'pages/account/company-accounts',
  'pages/settings/ownership',
  'pages/settings/factor-rules',
  'pages/settings/company-sign-in',
  'pages/audit/export-audit',
  'pages/automations/controls',
  'pages/campaigns/recipients',
  'pages/campaigns/check-step',
  'parts/mail-editor/toolbar',
  'parts/mail-editor/dialogs',
  'parts/blocks/shown-field',
  'pages/campaigns/under-way',
  'pages/campaigns/when-step',
  'pages/campaigns/lift-hold',
  'pages/operator/answer-volume',
  'pages/operator/business-dialog',
  'pages/operator/lift-pause',
  'pages/webhooks/hand-over',
  'pages/webhooks/replay-span',
  'pages/contacts/bulk-bar',
  'pages/contacts/confirm-contact',
  'pages/forms/held',
  'pages/imports/result',
  'shell/overlays',
  'shell/factor-dialog',
  'ui/dialog',
  'ui/menu',
  'ui/raw-dialog',
]

function filesWithDialogs(): string[] {
  const root = path.join(import.meta.dirname, '../../../web/src')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .filter((name) => {
      const text = readFileSync(path.join(root, name), 'utf8')
      return ['<Dialog\n', '<Dialog ', '<Drawer\n', '<RawDialog ', '<Base.Root'].some((part) =>
        text.includes(part),
      )
    })
    .map((name) => name.slice(0, -'.tsx'.length))
}

test('every file with a dialog has its line in this test', () => {
  const named = [...dialogs.map(({ file }) => file), ...elsewhere]
  assert.deepEqual(
    filesWithDialogs().filter((file) => !named.includes(file)),
    [],
  )
})

/** Milliseconds for the focus to move, on a busy machine too. */
const patienceMs = 30_000

/** Whether the focus is in the uppermost dialog. */
const isInside = (page: Page) =>
  page.evaluate(() => {
    const all = document.querySelectorAll('[role=dialog]:not([role=region] *)')
    return all.item(all.length - 1)?.contains(document.activeElement) === true
  })

test('every dialog takes the focus, keeps it and gives it back', { skip }, async () => {
  const { page, complaints, close } = await bench.visit({ theme: 'light', width: 1280 })
  const { open, still } = stillness(page)
  const { objects, campaigns } = bench
  for (const { file, path: where, press } of dialogs) {
    await open(
      bench.root +
        where
          .replace('{sent}', objects.sent)
          .replace('{form}', objects.form)
          .replace('{automation}', objects.automation)
          .replace('{feed}', objects.feed)
          .replace('{sending}', campaigns.get('Spring menu') ?? ''),
    )
    let opener = page.locator('none')
    // One dialog opens above another, which stays.
    let below = 0
    for (const name of press) {
      // A dialog takes the focus a moment after it is drawn, and Enter must not go to that.
      if (name !== press[0]) {
        await dialogsOf(page).nth(below).waitFor()
        await still()
        await eventually(() => isInside(page), Boolean, patienceMs)
      }
      const one = { name, ...(typeof name === 'string' && { exact: true }) }
      opener = page
        .getByRole('button', one)
        .or(page.getByRole('link', one))
        .locator('visible=true')
        .first()
      await opener.focus()
      below = await dialogsOf(page).count()
      await page.keyboard.press('Enter')
    }
    await dialogsOf(page).nth(below).waitFor()
    await still()
    assert.ok(
      await eventually(() => isInside(page), Boolean, patienceMs),
      `${file}: it takes the focus`,
    )
    for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
      await page.keyboard.press(key)
      // At its end the focus passes an element outside for a moment and is sent back.
      assert.ok(await eventually(() => isInside(page), Boolean, patienceMs), `${file}: it keeps it`)
    }
    await page.keyboard.press('Escape')
    await dialogsOf(page).nth(below).waitFor({ state: 'detached' })
    const isBack = () => opener.evaluate((node) => node === document.activeElement)
    assert.ok(await eventually(isBack, Boolean, patienceMs), `${file}: the focus returns`)
  }
  // The frame in which a campaign shows its mail says that no script may run there.
  const ofPages = complaints.filter((complaint) => !complaint.includes('frame is sandboxed'))
  assert.deepEqual(ofPages, [])
  await close()
})
