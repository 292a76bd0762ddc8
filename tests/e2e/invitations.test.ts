/** An owner invites, the invited person accepts or declines: real browser, without script. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { startSession } from 'crier-server/accounts/sign-in/session.ts'
import { findOrSignUpUser } from 'crier-server/accounts/sign-in/sign-up.ts'
import { isRefusal } from 'crier-server/core/errors.ts'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import type { Role } from 'crier-server/core/operation.ts'
import type { Browser } from 'playwright-core'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { faultsOf, launch, person, picture, type Theme, withoutBrowser } from './browser.ts'

const skip = withoutBrowser

let testbed: OwnTestbed
let browser: Browser
before(async () => {
  if (skip) return
  testbed = await openTestbed({ idle: true })
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await testbed?.close()
})

interface Look {
  session: string
  path: string
  theme?: Theme
  width?: number
  script?: boolean
}

async function visit({ session, path, ...look }: Look) {
  const opened = await person(browser, look)
  const cookie = { name: 'crier-session', value: session, url: testbed.service.url }
  await opened.context.addCookies([cookie])
  await opened.page.goto(testbed.service.url + path)
  return opened
}

const membersPath = (id: Id<'business'>) =>
  `/account/businesses/${formatId('business', id)}/members`
const memberOf = (businessId: Id<'business'>, role: Role) =>
  testbed.newSession({ businesses: [businessId], role })

/** The session of a person who has signed in with this address. */
async function signedIn(email: string): Promise<string> {
  const now = new Date()
  return testbed.db.tx(async (tx) => {
    const rule = { signup: 'open', defaultTier: 'scale' } as const
    const user = await findOrSignUpUser(tx, rule, email, now)
    assert.ok(!isRefusal(user))
    return startSession(tx, user.id, now)
  })
}

test('an invited person becomes a member only after accepting', { skip }, async () => {
  const businessId = await testbed.newBusiness()
  const owner = await visit({
    session: await memberOf(businessId, 'owner'),
    path: membersPath(businessId),
  })
  await owner.page.getByLabel('Email address').fill('ana@example.com')
  await owner.page.getByLabel('Role', { exact: true }).selectOption('editor')
  await owner.page.getByRole('button', { name: 'Invite' }).click()
  await owner.page.getByRole('heading', { name: 'Invited, not yet members' }).waitFor()
  await picture(owner.page, 'members-invited')

  const ana = await visit({
    session: await signedIn('ana@example.com'),
    path: '/account/invitations',
  })
  await ana.page.getByText('You could').waitFor()
  await picture(ana.page, 'invitation')
  assert.equal((await ana.page.goto(testbed.service.url + membersPath(businessId)))?.status(), 404)
  await ana.page.goto(`${testbed.service.url}/account/invitations`)
  await ana.page.getByRole('button', { name: /^Accept/ }).click()
  await ana.page.getByText('you are editor').waitFor()

  await owner.page.reload()
  await owner.page.getByRole('heading', { name: 'ana@example.com editor' }).waitFor()
  assert.equal(await owner.page.getByText('Invited, not yet members').count(), 0)
  assert.deepEqual([...owner.complaints, ...ana.complaints.filter((text) => !/404/.test(text))], [])
  await owner.context.close()
  await ana.context.close()
})

test('a person who declines, or whose invitation is withdrawn, does not become a member', {
  skip,
}, async () => {
  const businessId = await testbed.newBusiness()
  const owner = await visit({
    session: await memberOf(businessId, 'owner'),
    path: membersPath(businessId),
  })
  for (const name of ['leo', 'mia']) {
    await owner.page.getByLabel('Email address').fill(`${name}@example.com`)
    await owner.page.getByRole('button', { name: 'Invite' }).click()
    await owner.page.getByRole('heading', { name: `${name}@example.com as viewer` }).waitFor()
  }
  await owner.page.getByRole('button', { name: /of mia@/ }).click()
  for (const name of ['leo', 'mia']) {
    const path = '/account/invitations'
    const invited = await visit({ session: await signedIn(`${name}@example.com`), path })
    if (name === 'leo') await invited.page.getByRole('button', { name: /^Decline/ }).click()
    // Where sign-up is open, a person without a business gets a new one, and names it.
    if (name === 'leo') await invited.page.getByRole('heading', { name: /^Settings of/ }).waitFor()
    await invited.page.goto(testbed.service.url + path)
    await invited.page.getByText('Nobody has invited you').waitFor()
    await invited.context.close()
  }
  await owner.page.reload()
  assert.equal(await owner.page.getByText('leo@example.com').count(), 0)
  await owner.context.close()
})

for (const theme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`axe finds no fault in the invitation pages (${theme}, ${width} px)`, {
      skip,
    }, async () => {
      const businessId = await testbed.newBusiness()
      const look = { theme, width, script: true }
      const session = await memberOf(businessId, 'owner')
      const owner = await visit({ session, path: membersPath(businessId), ...look })
      const email = `${theme}-${width}@example.com`
      await owner.page.getByLabel('Email address').fill(email)
      await owner.page.getByRole('button', { name: 'Invite' }).click()
      await owner.page.getByRole('heading', { name: `${email} as viewer` }).waitFor()
      await picture(owner.page, `members-${theme}-${width}`)
      assert.deepEqual(await faultsOf(owner.page), [])
      const path = '/account/invitations'
      const invited = await visit({ session: await signedIn(email), path, ...look })
      await invited.page.getByText('You could').waitFor()
      await picture(invited.page, `invitations-${theme}-${width}`)
      assert.deepEqual(await faultsOf(invited.page), [])
      await owner.context.close()
      await invited.context.close()
    })
  }
}
