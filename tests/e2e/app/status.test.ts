/** The page Status, and the operator's pages beside it. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { formatId, newId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { queueMessages } from 'crier-server/messages/queue.ts'
import { withoutBrowser } from '../../support/processes/chromium.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'
import { assertCount } from './settled.ts'

const skip = withoutBrowser
const tenMinutes = 600_000

let bench: AppBench
before(async () => {
  if (skip) return
  bench = await openAppBench()
  const { db } = bench.testbed
  const slot = Math.floor(Date.now() / tenMinutes) * tenMinutes
  const amounts = { calls: 900, mails: 240, webhooks: 400, messages_failed: 3 }
  for (const [what, most] of Object.entries(amounts)) {
    for (let back = 1; back < 140; back++) {
      const amount = Math.round((most * (1 + Math.sin(back / 11))) / 2)
      await db.run(sql`
        insert into node_work (slot, what, amount)
        values (${new Date(slot - back * tenMinutes)}, ${what}, ${amount})
      `)
    }
  }
  await db.run(sql`
    insert into nodes (id, role, host, started_at, seen_at)
    values (gen_random_uuid(), 'worker', 'mail-2.internal', now() - interval '3 days',
      now() - interval '9 minutes')
  `)
  await db.run(sql`
    insert into jobs (shard, lane, id, kind, payload, due_at, created_at, parked_at, fault)
    select shard, lane, gen_random_uuid(), 'webhook.deliver', 'null', now(), now(), now(), 'poison'
    from jobs limit 1
  `)
  await pauseStream()
  await stateVolumes()
})

/** What two domains are said to have sent, one with a note that tries to run. */
async function stateVolumes() {
  const { db } = bench.testbed
  const businessId = await bench.testbed.newBusiness()
  await db.run(sql`update businesses set name = 'Moved bakery' where id = ${businessId}`)
  const owner = await bench.testbed.appCaller({ businesses: [businessId] })
  const business_id = formatId('business', businessId)
  for (const domain of ['moved.example', 'new.example']) {
    await owner.get('domain.add', { business_id, domain })
    await db.run(sql`
      with of_domain as (
        update domains set status = 'verified' where name = ${domain} returning id, name
      )
      insert into domain_claims (name, domain_id, degraded, claimed_at)
      select name, id, false, now() from of_domain
    `)
    const note = 'Two years elsewhere <img src=x onerror="document.title=`owned`">'
    await owner.get('domain.state_volume', { business_id, domain, emails_per_day: 4_000, note })
  }
}

/** A stream that a provider paused, and a message that waits for it. */
async function pauseStream() {
  const { db } = bench.testbed
  const businessId = await bench.testbed.newBusiness()
  await db.run(sql`
    update businesses set name = ${'<img src=x onerror="document.title=`owned`">'}
    where id = ${businessId}
  `)
  const now = new Date()
  const dueAt = new Date(now.getTime() + 3_600_000)
  const id = newId('message')
  await db.run(sql`
    insert into send_throttles (route, domain, kind, provider, tokens, filled_at, in_flight,
      paused_until, first_day, day, sent_that_day)
    values ('relay.example:25', 'shop.example', 'marketing', 'google.com', 0, ${now}, 1, ${dueAt},
      ${now}, ${now}, 0)
  `)
  await db.run(sql`
    insert into messages (business_id, id, kind, recipient, state, attempts, due_at, queued_at,
      route, sender_domain, created_at, updated_at, provider)
    values (${businessId}, ${id}, 'marketing', 'a@example.com', 'deferred', 1, ${dueAt}, ${now},
      'relay.example:25', 'shop.example', ${now}, ${now}, 'google.com')
  `)
  await db.run(sql`
    insert into message_events (business_id, message_id, id, type, happened_at, words, created_at)
    values (${businessId}, ${id}, gen_random_uuid(), 'deferred', ${now},
      '421-4.7.28 Our system has detected an unusual rate of mail <b>from your domain</b>', ${now})
  `)
  const message = { businessId, id, channel: 'email', kind: 'marketing', isReply: false } as const
  await db.tx((tx) => queueMessages(tx, [{ ...message, dueAt }], now))
}
after(() => bench?.close())

/** The operator's pages by the text of their links, and a text that each shows. */
const operatorPages = {
  en: {
    Businesses: '<img src=x',
    Tiers: 'no limit',
    Jobs: 'crashed each time',
    'Mail queue': 'an unusual rate of mail',
  },
  de: {
    Unternehmen: '<img src=x',
    Tarife: 'ohne Limit',
    Jobs: 'jedes Mal abgestürzt',
    Warteschlange: 'an unusual rate of mail',
  },
} as const
const navName = { en: 'Operator pages', de: 'Betreiberseiten' } as const
const pageOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''

for (const { theme, width } of looks) {
  test(`the operator sees queues, nodes, backups and work, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const language = theme === 'dark' ? 'de' : 'en'
    const businesses = [await bench.testbed.newBusiness()]
    const path = '/status'
    const visit = await visitApp(bench, { businesses, theme, width, path, language })
    const { page } = visit
    const found = language === 'de' ? 'Fehlgeschlagene Jobs' : 'crier jobs list shows the errors'
    await page.getByText(found).waitFor()
    await page.getByText('mail-2.internal').waitFor()
    await assertCount(page.getByText('webhook.deliver', { exact: true }), 1)
    await page.locator('summary').click()
    await page.getByText('agrees with the database').waitFor()
    await assertSound(visit, `app-status-${theme}-${width}`)
    for (const [name, shows] of Object.entries(operatorPages[language])) {
      await page.getByRole('navigation', { name: navName[language] }).getByText(name).click()
      await page.getByText(shows).first().waitFor()
      if (pageOf(page.url()) === 'businesses') {
        const ends = await page.locator('tr:has(th) > :visible').evaluateAll((cells) => {
          return cells.map((cell) => getComputedStyle(cell).paddingRight)
        })
        assert.equal(ends.at(-1), width === 390 ? '16px' : '20px', 'the last column keeps its edge')
      }
      await assertSound(visit, `app-operator-${pageOf(page.url())}-${theme}-${width}`)
    }
    assert.doesNotMatch(await page.title(), /owned/)
    await visit.close()
  })
}

test('the operator changes a tier, retries jobs, lifts a pause and answers statements by keyboard', {
  skip,
}, async () => {
  const { db } = bench.testbed
  const business = await bench.testbed.newBusiness('free')
  await db.run(sql`update businesses set name = 'Corner shop' where id = ${business}`)
  const path = '/operator/businesses'
  const visit = await visitApp(bench, { businesses: [business], path })
  const { page, complaints } = visit
  await page.getByRole('searchbox').fill('corner')
  const link = page.getByRole('link', { name: 'Corner shop' })
  await page.waitForURL(/q=corner$/)
  await link.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tier').selectOption('scale')
  await assertSound(visit, 'app-operator-tier')
  await dialog.getByRole('button', { name: 'Change tier' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  assert.match(page.url(), /q=corner$/)
  await page.getByRole('cell', { name: 'Scale' }).waitFor()
  const links = page.getByRole('navigation', { name: 'Pages', exact: true })
  await links.getByRole('link', { name: 'Jobs' }).press('Enter')
  await page.getByText('The process running the job crashed each time.').waitFor()
  await page.getByRole('button', { name: /^Retry all failed jobs/ }).press('Enter')
  await page.getByText('No failed jobs.').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('mail queue')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Resume sending now/ }).press('Enter')
  await page.getByText('each refusal harms the domain’s reputation').waitFor()
  await assertSound(visit, 'app-operator-lift')
  await dialog.getByRole('button', { name: 'Resume sending now' }).press('Enter')
  await page.getByText('No streams paused.').waitFor()
  await page.getByRole('button', { name: 'Answer: moved.example' }).press('Enter')
  await dialog.getByText('Moved bakery states 4,000 emails per day.').waitFor()
  await dialog.getByLabel('Emails per day to approve').fill('1000')
  await assertSound(visit, 'app-operator-volume')
  await dialog.getByRole('button', { name: 'Approve' }).press('Enter')
  await page.getByText('Approved. The warm-up starts at day 3').waitFor()
  await page.getByRole('button', { name: 'Answer: new.example' }).press('Enter')
  await dialog.getByLabel('Message to the owner').fill('Your last service counts 300 a day.')
  await dialog.getByRole('button', { name: 'Refuse' }).press('Enter')
  await page.getByText('No requests to answer.').waitFor()
  const answers = await db.all(sql`
    select name, volume_approved as approved, volume_answer as words from domains
    where volume_decided_at is not null order by name
  `)
  assert.deepEqual(answers, [
    { name: 'moved.example', approved: 1_000, words: null },
    { name: 'new.example', approved: null, words: 'Your last service counts 300 a day.' },
  ])
  assert.deepEqual(complaints, [])
  await visit.close()
})

test('where an operator is set, anybody else sees one line', { skip }, async () => {
  const own = await openAppBench({ settings: { OPERATOR_EMAIL: 'ops@example.com' } })
  try {
    const businesses = [await own.testbed.newBusiness()]
    const visit = await visitApp(own, { businesses, path: '/status' })
    await visit.page.getByText('Crier is operational').waitFor()
    await visit.page.getByText('Only the operator sees').waitFor()
    await assertCount(visit.page.locator('main h2'), 1)
    await assertSound(visit, 'app-status-others')
    assert.equal(await visit.page.getByRole('link', { name: 'Mail queue' }).count(), 0)
    await visit.page.keyboard.press('Control+k')
    await visit.page.getByRole('combobox').fill('mail')
    assert.equal(await visit.page.getByRole('option', { name: /queue/i }).count(), 0)
    await visit.page.keyboard.press('Escape')
    for (const name of ['businesses', 'tiers', 'jobs', 'mail']) {
      await visit.page.goto(`${visit.root}/operator/${name}`)
      await visit.page.getByText('for the operator of this installation').waitFor()
    }
    await visit.close()
  } finally {
    await own.close()
  }
})
