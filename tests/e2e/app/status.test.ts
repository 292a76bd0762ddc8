/** The page Status: one line for everybody, and the state of the installation for its operator. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { withoutBrowser } from '../browser.ts'
import { type AppBench, assertSound, looks, openAppBench, visitApp } from './app.ts'

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
})
after(() => bench?.close())

for (const { theme, width } of looks) {
  test(`the operator sees queues, nodes, backups and work, ${theme} at ${width}`, {
    skip,
  }, async () => {
    const language = theme === 'dark' ? 'de' : 'en'
    const businesses = [await bench.testbed.newBusiness()]
    const path = '/status'
    const visit = await visitApp(bench, { businesses, theme, width, path, language })
    const { page } = visit
    const found = language === 'de' ? 'Aufgegebene Aufträge' : 'crier jobs list names their faults'
    await page.getByText(found).waitFor()
    await page.getByText('mail-2.internal').waitFor()
    assert.equal(await page.getByText('webhook.deliver', { exact: true }).count(), 1)
    await page.locator('summary').click()
    await page.getByText('agrees with the database').waitFor()
    await assertSound(visit, `app-status-${theme}-${width}`)
    await visit.close()
  })
}

test('where an operator is set, anybody else sees one line', { skip }, async () => {
  const own = await openAppBench({ settings: { OPERATOR_EMAIL: 'ops@example.com' } })
  try {
    const businesses = [await own.testbed.newBusiness()]
    const visit = await visitApp(own, { businesses, path: '/status' })
    await visit.page.getByText('Crier works').waitFor()
    await visit.page.getByText('are shown to the operator').waitFor()
    assert.equal(await visit.page.locator('main h2').count(), 1)
    await assertSound(visit, 'app-status-others')
    await visit.close()
  } finally {
    await own.close()
  }
})
