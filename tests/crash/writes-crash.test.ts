import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import type { Id } from '../../server/src/core/ids.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Sql } from '../../server/src/lib/db/types.ts'
import { openTestbed } from '../operations/support/testbed.ts'
import { kinds } from './support/kill.ts'
import { formToStorm, type WriteReport, writeLoop } from './support/loops/write-loop.ts'
import { newWriteLedger, writeKinds } from './support/write-ledger.ts'
import { writeStorm } from './support/write-storm.ts'
import { verifyWrites } from './support/write-verify.ts'

// One kill of each kind; `npm run soak` runs longer. CRASH_SEED repeats a run.
test('acknowledged writes survive kill -9 of service and database, complete and without duplicates', async (t) => {
  const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 32))
  t.diagnostic(`CRASH_SEED=${seed}`)
  const reports = await writeLoop({ kills: kinds.length, seed })

  assert.deepEqual(new Set(reports.map((report) => report.kind)), new Set(kinds))
  const sum = (of: (report: WriteReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0)
  // A storm without writes, or one that no kill interrupted, would prove nothing.
  for (const kind of writeKinds) assert.ok(sum((report) => report.acknowledged[kind]) > 0, kind)
  assert.ok(sum((report) => report.lostAnswers + report.notMade) > 0)
  const [made, notMade] = [sum((r) => r.lostAnswers), sum((r) => r.notMade)]
  t.diagnostic(`${made + notMade} writes without an answer; ${made} of them made`)
})

/** The damage that a crash could leave if writes were not atomic. */
const damages: Record<string, (business: Id<'business'>) => Sql> = {
  'a lost write': (business) => sql`delete from contacts where business_id = ${business}`,
  'a lost event': (business) => sql`
    delete from events where business_id = ${business} and id = (
      select id from events where business_id = ${business} order by id desc limit 1)`,
  'an event told twice': (business) => sql`
    insert into events (business_id, id, type, body, created_at)
    select business_id, gen_random_uuid(), type, body, created_at from events
    where business_id = ${business} limit 1`,
  'a submission that is not counted': (business) => sql`
    update forms set submission_count = submission_count - 1 where business_id = ${business}
      and submission_count > 0`,
  'a contact that is not counted': (business) => sql`
    update usage_standing set amount = amount - 1 where business_id = ${business}`,
  'a row that went back': (business) => sql`
    update contacts set attributes = '{"number": -1}' where business_id = ${business}`,
}

test('the check after a crash detects a write that is lost, partial or duplicated', async (t) => {
  const testbed = await openTestbed({ idle: true })
  t.after(() => testbed.close())
  const { db } = testbed
  const cases: [string, ((business: Id<'business'>) => Sql) | undefined][] = [
    ['nothing', undefined],
    ...Object.entries(damages),
  ]
  for (const [what, damage] of cases) {
    const business = await testbed.newBusiness()
    const caller = await testbed.caller({ businesses: [business] })
    const ledger = newWriteLedger()
    const callers = Array.from({ length: 20 }, () => caller)
    const { form_id } = await caller.get<{ form_id: string }>('form.save', formToStorm)
    const calm = new AbortController()
    const storm = writeStorm(ledger, { callers, forms: [form_id] }, calm.signal)
    calm.abort()
    await storm
    if (!damage) {
      await verifyWrites(ledger, { db, business, caller })
      continue
    }
    await db.run(damage(business))
    await assert.rejects(verifyWrites(ledger, { db, business, caller }), what)
  }
})
