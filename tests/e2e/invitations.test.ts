/** The invited person accepts or declines: real browser, without script. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { startSession } from 'crier-server/accounts/sign-in/session.ts'
import { findOrSignUpUser } from 'crier-server/accounts/sign-in/sign-up.ts'
import { formatId } from 'crier-server/core/ids.ts'
import type { Role } from 'crier-server/core/operation.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { faultsOf, launch, type OpenBrowser, person, picture, type Theme } from './browser.ts'

const skip = withoutBrowser

let testbed: OwnTestbed
let browser: OpenBrowser
before(async () => {
  if (skip) return
  testbed = await openTestbed({ idle: true })
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await testbed?.close()
})

const path = '/account/invitations'

interface Invitation {
  invitation_id: string
  email: string
}

interface Look {
  session: string
  theme?: Theme
  width?: number
  script?: boolean
}

async function visit({ session, ...look }: Look) {
  const opened = await person(browser, look)
  const cookie = { name: 'crier-session', value: session, url: testbed.service.url }
  await opened.context.addCookies([cookie])
  await opened.page.goto(testbed.service.url + path)
  return opened
}

/** A business whose owner has invited these addresses. */
async function inviting(emails: readonly string[], role: Role = 'viewer') {
  const businessId = await testbed.newBusiness()
  const owner = await testbed.appCaller({ businesses: [businessId] })
  for (const email of emails) await owner.get('member.save', { email, role })
  return { businessId, owner }
}

/** The session of a person who has signed in with this address. */
async function signedIn(email: string): Promise<string> {
  const now = new Date()
  return testbed.db.tx(async (tx) => {
    const rule = { signup: 'open', defaultTier: 'scale', defaultDeployLimit: 0 } as const
    const user = await findOrSignUpUser(tx, rule, email, now)
    return startSession(tx, user.id, now)
  })
}

test('an invited person becomes a member only after accepting', { skip }, async () => {
  const { businessId, owner } = await inviting(['ana@example.com'], 'editor')
  const roleOf = async () => {
    const { members } = await owner.get<{ members: { email: string; role: string }[] }>(
      'member.list',
    )
    return members.find(({ email }) => email === 'ana@example.com')?.role
  }
  const { page, complaints, context } = await visit({ session: await signedIn('ana@example.com') })
  await page.getByText('You could').waitFor()
  await picture(page, 'invitation')
  assert.equal(await roleOf(), undefined)
  await page.getByRole('button', { name: /^Accept/ }).click()
  await page.waitForURL(`**/b/${formatId('business', businessId)}`)
  assert.equal(await roleOf(), 'editor')
  assert.deepEqual(complaints, [])
  await context.close()
})

test('a person who declines, or whose invitation is withdrawn, does not become a member', {
  skip,
}, async () => {
  const { owner } = await inviting(['leo@example.com', 'mia@example.com'])
  const pending = async () =>
    (await owner.get<{ invitations: Invitation[] }>('invitation.list')).invitations
  const [withdrawn] = (await pending()).filter(({ email }) => email === 'mia@example.com')
  await owner.get('invitation.withdraw', { invitation_id: withdrawn?.invitation_id })
  for (const name of ['leo', 'mia']) {
    const { page, context } = await visit({ session: await signedIn(`${name}@example.com`) })
    if (name === 'leo') {
      await page.getByRole('button', { name: /^Decline/ }).click()
      // Where sign-up is open, a person without a business gets a new one, and names it.
      await page.waitForURL(/\/b\/bus_\w+\/settings$/)
      await page.goto(testbed.service.url + path)
    }
    await page.getByText('No invitations').waitFor()
    await context.close()
  }
  assert.deepEqual(await pending(), [])
})

for (const theme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`axe finds no fault in the page of invitations (${theme}, ${width} px)`, {
      skip,
    }, async () => {
      const email = `${theme}-${width}@example.com`
      await inviting([email])
      const session = await signedIn(email)
      const { page, context } = await visit({ session, theme, width, script: true })
      await page.getByText('You could').waitFor()
      await picture(page, `invitations-${theme}-${width}`)
      assert.deepEqual(await faultsOf(page), [])
      await context.close()
    })
  }
}
