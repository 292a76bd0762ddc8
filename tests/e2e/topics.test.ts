/** The page for leaving a topic or everything: by keyboard, without script, checked with axe. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Page } from 'playwright-core'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { sendOff } from '../support/businesses/campaign-drafts.ts'
import { awaitState, draftTo } from '../support/businesses/campaign-runs.ts'
import { yes } from '../support/businesses/campaigns.ts'
import { inboxOf, newPerson } from '../support/clients/sign-in.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { eventually } from '../support/time/eventually.ts'
import { faultsOf, launch, type OpenBrowser, person, picture, type Theme } from './browser.ts'

const skip = withoutBrowser

let testbed: OwnTestbed
let browser: OpenBrowser
before(async () => {
  if (skip) return
  testbed = await openTestbed()
  browser = await launch()
})
after(async () => {
  await browser?.close()
  await testbed?.close()
})

interface Shown {
  topics: { email: Record<string, string> }
  consent: { email: { status: string }; tracking: { status: string } }
}

/** Sends a campaign about News to a person with two channels and two topics; returns its link. */
async function mailing(input: object = {}) {
  const running = await draftTo(testbed, 0, input)
  const { owner } = running.scene
  await owner.get('topic.save', {
    topic: 'news',
    name: 'News <b>&amp;</b> more',
    description: 'Once a month.',
  })
  await owner.get('topic.save', { topic: 'offers', name: 'Offers' })
  await owner.get('campaign.save', { campaign_id: running.name, topic: 'news' })
  const email = newPerson()
  const consent = { email: { ...yes, topics: ['news', 'offers'] } }
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    email,
    phone: '+33612345678',
    consent,
  })
  await sendOff(running)
  await awaitState(running, 'completed')
  const [mail] = await eventually(
    () => inboxOf(testbed.service.url, email),
    ({ length }) => length > 0,
  )
  const way = mail?.links.find((link) => link.includes('/u/')) ?? ''
  return { way, email, owner, shown: () => owner.get<Shown>('contact.get', { contact_id }) }
}

const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

test('a recipient unsubscribes from a topic with its button and subscribes again with its checkbox', {
  skip,
}, async () => {
  const { context, page } = await person(browser)
  try {
    const { way, shown } = await mailing()
    await page.goto(way)
    await page.getByRole('button', { name: 'Unsubscribe from ⁨News' }).click()
    await status(page, 'no more emails about').waitFor()
    assert.deepEqual((await shown()).topics.email, { news: 'unsubscribed', offers: 'subscribed' })
    const news = page.getByRole('list', { name: 'Topics: Email to' }).getByRole('checkbox').first()
    assert.equal(await news.isChecked(), false)
    await news.check()
    await page.getByRole('button', { name: 'Save my choice' }).click()
    await status(page, 'saved').waitFor()
    assert.deepEqual((await shown()).topics.email, { news: 'subscribed', offers: 'subscribed' })
    await page.getByRole('button', { name: 'Unsubscribe from everything' }).click()
    await status(page, 'no more marketing by email').waitFor()
    assert.equal((await shown()).consent.email.status, 'unsubscribed')
    await page.getByRole('checkbox', { name: 'news and offers' }).first().check()
    await page.getByRole('button', { name: 'Save my choice' }).click()
    await status(page, 'saved').waitFor()
    const back = await shown()
    assert.deepEqual(back.topics.email, { news: 'subscribed', offers: 'subscribed' })
    assert.equal(back.consent.email.status, 'subscribed')
  } finally {
    await context.close()
  }
})

test('the links of a mail work when all that is stored of the mail is deleted', {
  skip,
}, async () => {
  const html =
    '<p><a href="https://shop.example/">Shop</a> <a href="{{ view_url }}">In the browser</a></p>'
  const { way, email, shown } = await mailing({ content: { subject: 'News', html } })
  const mail = await testbed.db.one<{ html: string }>(sql`
    select body_html as html from inbox_messages where recipient = ${email}
  `)
  const links = [...mail.html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url ?? '')
  await testbed.db.tx(async (tx) => {
    for (const table of [
      'campaign_recipients',
      'message_contents',
      'messages',
      'message_events',
      'campaign_link_people',
    ]) {
      await tx.run({ name: '', text: `delete from ${table}`, values: [] })
    }
  })
  const statusOf = async (url: string | undefined) => {
    assert.ok(url)
    const answer = await fetch(url, { redirect: 'manual' })
    return [answer.status, answer.headers.get('location')]
  }
  assert.deepEqual(await statusOf(way), [200, null])
  const linkTo = (page: string) => links.find((link) => link.includes(page))
  assert.deepEqual(await statusOf(linkTo('/c/')), [302, 'https://shop.example/'])
  // It is made again from the campaign.
  assert.deepEqual(await statusOf(linkTo('/v/')), [200, null])
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  assert.equal((await fetch(way, { method: 'POST', body })).status, 200)
  const { topics, consent } = await shown()
  assert.deepEqual(topics.email, { news: 'unsubscribed', offers: 'subscribed' })
  assert.equal(consent.email.status, 'subscribed')
})

test('every checkbox and button of the topics can be reached by keyboard alone', {
  skip,
}, async () => {
  const { context, page } = await person(browser)
  try {
    const { way, shown } = await mailing()
    await page.goto(way)
    const offers = page.getByRole('checkbox', { name: 'Offers', exact: true }).first()
    for (let n = 0; n < 20; n++) {
      await page.keyboard.press('Tab')
      if (await offers.evaluate((box) => box === document.activeElement)) break
    }
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await status(page, 'saved').waitFor()
    assert.deepEqual((await shown()).topics.email, { news: 'subscribed', offers: 'unsubscribed' })
    const tracking = page
      .getByRole('group', { name: 'Tracking' })
      .getByRole('checkbox', { checked: true })
    for (let n = 0; n < 20; n++) {
      await page.keyboard.press('Tab')
      if (await tracking.evaluate((box) => box === document.activeElement)) break
    }
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page
      .getByRole('group', { name: 'Tracking' })
      .getByRole('checkbox', { checked: false })
      .waitFor()
    assert.equal((await shown()).consent.tracking.status, 'unsubscribed')
  } finally {
    await context.close()
  }
})

for (const { theme, width } of [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 390 },
] as { theme: Theme; width: number }[]) {
  test(`the topics page is accessible, ${theme}, ${width} px`, { skip }, async () => {
    const { context, page, complaints } = await person(browser, { theme, width, script: true })
    try {
      const { way } = await mailing()
      await page.goto(way)
      await picture(page, `topics-${theme}-${width}`)
      assert.deepEqual(await faultsOf(page), [])
      await page.getByRole('button', { name: 'Unsubscribe from ⁨News' }).click()
      await page.getByRole('status').waitFor()
      assert.deepEqual(await faultsOf(page), [])
      assert.deepEqual(complaints, [])
    } finally {
      await context.close()
    }
  })
}

test('a recipient chooses how often, and what they chose holds until they take it back', {
  skip,
}, async () => {
  const { context, page } = await person(browser)
  try {
    const { way, owner } = await mailing()
    await page.goto(way)
    const choice = (name: string) => page.getByRole('radio', { name })
    assert.ok(await choice('Whenever there is news').isChecked())
    await choice('Pause for 30 days').check()
    await page.getByRole('button', { name: 'Save my choice' }).click()
    await status(page, 'Your choices have been saved.').waitFor()
    assert.ok(await choice('Pause for 30 days').isChecked())
    await page.goto(way)
    await choice('At most one message a week').check()
    await page.getByRole('button', { name: 'Save my choice' }).click()
    await status(page, 'Your choices have been saved.').waitFor()
    await page.goto(way)
    assert.ok(await choice('At most one message a week').isChecked())
    const { max, paused } = await testbed.db.one<{ max: number; paused: Date | null }>(sql`
      select max::int as max, paused_until as paused from contact_attention
      order by updated_at desc limit 1
    `)
    assert.deepEqual([max, paused], [1, null])
    // A digest is offered by whom has one.
    assert.equal(await choice('Only the regular digest').count(), 0)
    await owner.get('feed.save', {
      name: 'Blog',
      url: 'https://blog.example/feed.xml',
      every: 'week',
      content: { subject: 'News', blocks: [{ type: 'feed', button: 'Read on' }] },
    })
    await testbed.db.run(sql`update feeds set status = 'running'`)
    await page.goto(way)
    await choice('Only the regular digest').check()
    await page.getByRole('button', { name: 'Save my choice' }).click()
    await status(page, 'Your choices have been saved.').waitFor()
    await page.goto(way)
    assert.ok(await choice('Only the regular digest').isChecked())
  } finally {
    await context.close()
  }
})
