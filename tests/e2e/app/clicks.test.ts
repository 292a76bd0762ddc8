/** Clicks drawn on the mail of a campaign: the right number at each link, and a mail that stays inert. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { findLinks } from 'crier-server/lib/email/find-links.ts'
import { standings } from '../../support/businesses/campaign-drafts.ts'
import { draftTo } from '../../support/businesses/campaign-runs.ts'
import { campaignScene, deployPlanned } from '../../support/businesses/campaigns.ts'
import { inboxOf } from '../../support/clients/sign-in.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { eventually } from '../../support/time/eventually.ts'
import { type AppBench, assertSound, looks, openAppBench, type Visit, visitApp } from './app.ts'

const skip = withoutBrowser
const menu = 'https://shop.example/menu'
/** Styles that would hide or move the marks if they reached them. */
const style = 'div,div *{display:none!important;position:static!important;font-size:90px!important}'
const html = `<head><style>${style}</style></head><body>
<p>Asparagus is back. <a href="${menu}">See the menu</a>, or
<a href="https://shop.example/for/{{ contact.attributes.number }}">your own table</a>.</p>
<p>Our kitchen has written down what it does with the first green ones of the year.</p>
<p><a href="https://shop.example/blog">Read how</a></p>
<p>The tables by the window are few. <a href="${menu}">The menu again</a></p>
<p>Come soon, and bring the people whom you would like to have asparagus with this year.<br>
<a href="https://shop.example/book" style="display:inline-block;padding:12px 24px;background:#2f6b3a;color:#ffffff">Book a table by the window</a></p></body>`

let bench: AppBench
let scene: Awaited<ReturnType<typeof campaignScene>>
let campaign_id: string
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0' }

before(async () => {
  if (skip) return
  bench = await openAppBench()
  const { service } = bench.testbed
  scene = await campaignScene(bench.testbed)
  await scene.owner.get('business.save', { utm: { source: 'news' } })
  // The addresses of the tables lead to the shop's own domain, so that no approval is asked for.
  await scene.owner.get('domain.add', { domain: 'shop.example' })
  await bench.testbed.db.run(sql`
    update domains set status = 'verified', awaits_person = false, verified_at = ${new Date()}
    where business_id = ${scene.businessId}
  `)
  const people = [1, 2, 3, 4].map((number) => `table-${number}@example.com`)
  for (const [at, email] of people.entries()) {
    await scene.contact({
      email,
      attributes: { number: `n${at}` },
      consent: { email: { status: 'subscribed', source: 'shop' } },
    })
  }
  const content = { subject: 'Asparagus', html }
  ;({ campaign_id } = await scene.draft({ name: 'Asparagus', content }))
  await deployPlanned(scene.owner, { campaign_id })
  // Three follow the menu, and two of them their own link too, at a person's pace: one by one.
  const [first = '', second = '', third = ''] = people
  for (const [email, place] of [
    [first, 0],
    [second, 0],
    [third, 0],
    [second, 1],
    [third, 1],
  ] as const) {
    const [mail] = await eventually(
      () => inboxOf(service.url, email),
      ({ length }) => length > 0,
    )
    const answer = await fetch(`${service.url}/inbox/${mail?.id}/html`)
    const tracked = findLinks(await answer.text()).filter(({ url }) => url.includes('/c/'))
    const link = tracked[place]?.url
    assert.ok(link, 'the mail has tracked links')
    await fetch(link, { headers: browser, redirect: 'manual' })
  }
  const clicks = () =>
    scene.owner.get<{ links: { people: number }[] }>('campaign.get', { campaign_id })
  // Each mail's clicks are judged on their own, so the links come to their numbers one by one.
  const counted = await eventually(
    clicks,
    ({ links }) => links.reduce((sum, { people: number }) => sum + number, 0) === 5,
  )
  assert.deepEqual(
    counted.links.map(({ people: number }) => number),
    [3, 1, 1],
  )
})
after(() => bench?.close())

const opened = /^(Click map|Klickkarte)$/
/** The frame with marks, beside the preview of the mail further down. */
const marked = 'iframe:is([title="Click map"], [title="Klickkarte"])'
const marksOf = ({ page }: Visit) =>
  page.frameLocator(marked).locator('html > div[aria-hidden] div').filter({ hasText: /\d/ })

/** The words of a mail that a mark lies on. */
function wordsUnderMarks(frame: Element): string[] {
  const page = (frame as HTMLIFrameElement).contentDocument
  if (!page?.body) return ['no mail']
  const host = page.querySelector('html > div[aria-hidden]')
  const marks = [...(host?.shadowRoot?.children ?? [])]
    .filter(({ textContent }) => textContent !== '')
    .map((mark) => mark.getBoundingClientRect())
  const texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT)
  const covered: string[] = []
  while (texts.nextNode()) {
    const range = page.createRange()
    range.selectNodeContents(texts.currentNode)
    const isUnder = [...range.getClientRects()].some((line) =>
      marks.some(
        ({ left, top, right, bottom }) =>
          left < line.right && right > line.left && top < line.bottom - 1 && bottom > line.top + 1,
      ),
    )
    if (isUnder) covered.push(texts.currentNode.textContent ?? '')
  }
  return marks.length === 0 ? ['no marks'] : covered
}

for (const { theme, width } of looks) {
  test(`clicks are drawn at the links of the mail, ${theme} at ${width}`, { skip }, async () => {
    const visit = await visitApp(bench, {
      businesses: [scene.businessId],
      theme,
      width,
      path: `/campaigns/${campaign_id}`,
      ...(theme === 'dark' && { language: 'de' }),
    })
    await visit.page.getByRole('button', { name: opened }).click()
    const marks = marksOf(visit)
    await marks.first().waitFor()
    // Both places of the menu, the addresses of all people together, and the link nobody followed.
    const menus = /^3 · 75\s?%$/
    const [one = '', own = '', none = '', two = '', book = '', ...more] =
      await marks.allTextContents()
    assert.match(one, menus)
    assert.match(own, /^2 · 50\s?%$/)
    assert.equal(none, '0')
    assert.match(two, menus)
    assert.equal(book, '0')
    assert.deepEqual(more, [])
    const link = visit.page.frameLocator(marked).getByRole('link', { name: 'Read how' })
    const [at, to] = await Promise.all([marks.nth(2).boundingBox(), link.boundingBox()])
    const middle = (box: { y: number; height: number }) => box.y + box.height / 2
    assert.ok(
      at && to && Math.abs(middle(at) - middle(to)) < 3,
      'the mark is in the line of its link',
    )
    assert.ok(at.x > to.x + to.width && at.x < to.x + to.width + 8, 'the mark follows its link')
    const covered = await visit.page.locator(marked).evaluate(wordsUnderMarks)
    assert.deepEqual(covered, [])
    const list = visit.page.getByRole('list', { name: /Clicks by link|Klicks nach Link/ })
    assert.match(
      (await list.textContent()) ?? '',
      /menu\?utm_source=news&utm_campaign=asparagus .*3, 75\s?%/,
    )
    await visit.page.locator(marked).scrollIntoViewIfNeeded()
    await assertSound(visit, `app-clicks-${theme}-${width}`)
    await visit.close()
  })
}

test('each variant has its own clicks, and a hostile mail with marks runs nothing', {
  skip,
}, async () => {
  const attack = `<script>top.owned=1</script><img src=x onerror="top.owned=1"><a href="javascript:top.owned=1">a</a>
<a href='${menu}?"><img src=x onerror=top.owned=1>'>Menu</a>`
  // Enough that chance gives each variant some of the sample.
  const running = await draftTo(bench.testbed, 40, { content: { subject: 'A', html: attack } })
  const { owner } = running.scene
  const ab = { variants: [{ subject: 'B' }], sample_percent: 50 }
  await owner.get('campaign.save', { campaign_id: running.name, ab })
  await deployPlanned(owner, { campaign_id: running.name })
  await eventually(
    () => standings(running),
    (now) => (now['sent'] ?? 0) > 2 && !now['taken'],
  )
  const url = new URL(`${menu}?"><img src=x onerror=top.owned=1>`).href
  // Everyone of A, and one of B.
  await bench.testbed.db.run(sql`
    with link as (
      insert into campaign_links (business_id, campaign_id, url_hash, url)
      values (${running.businessId}, ${running.campaignId}, '\\x01', ${url})
      returning business_id, campaign_id, url_hash
    )
    insert into campaign_link_people (business_id, campaign_id, url_hash, contact_id, machine)
    select l.business_id, l.campaign_id, l.url_hash, r.contact_id, false from link l
    join (
      select contact_id, variant, row_number() over (partition by variant order by contact_id) as place
      from campaign_recipients
      where campaign_id = ${running.campaignId} and variant is not null
    ) r on r.variant = 0 or r.place = 1
  `)
  const sentOf = (variant: number) =>
    bench.testbed.db.one<{ sent: number }>(sql`
      select count(*)::int as sent from campaign_recipients
      where campaign_id = ${running.campaignId} and variant = ${variant}
    `)
  const { sent } = await sentOf(0)
  assert.ok(sent > 1, 'A has another number than B')
  const visit = await visitApp(bench, {
    businesses: [running.businessId],
    path: `/campaigns/${running.name}`,
  })
  const { page } = visit
  await page.getByRole('button', { name: opened }).click()
  await marksOf(visit)
    .filter({ hasText: `${sent} · ` })
    .waitFor()
  await page.getByLabel('Variant').first().selectOption('1')
  await marksOf(visit).filter({ hasText: '1 · ' }).waitFor()
  assert.equal(await page.evaluate(() => 'owned' in globalThis), false)
  assert.equal(await page.locator(marked).getAttribute('sandbox'), 'allow-same-origin')
  // The frame refuses what the mail tries; the page of the app has nothing to say.
  const ours = visit.complaints.filter((text) => !/sandbox|img-src data:/.test(text))
  assert.deepEqual(ours, [])
  await visit.close()
})
