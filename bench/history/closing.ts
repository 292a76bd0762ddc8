/** A business with much history is exported, deleted and imported elsewhere, beside others who work. */
import { execFile } from 'node:child_process'
import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deletionJob, findClosing } from '../../server/src/accounts/businesses/closing.ts'
import { closeBusiness } from '../../server/src/closings/close.ts'
import { formatId, type Id } from '../../server/src/core/ids.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { enqueue } from '../../server/src/lib/jobs/job.ts'
import { days, later } from '../../server/src/lib/time/clock.ts'
import { migratedDataDir } from '../../tests/crash/support/data-dir.ts'
import { newBusiness } from '../../tests/support/businesses/business.ts'
import { draftIn, sendOff } from '../../tests/support/businesses/campaign-drafts.ts'
import { atMost, type Bench, type Figure, number } from '../support/bench.ts'
import { type Calls, callsBeside, openCallers } from '../support/beside.ts'
import { sizes } from '../support/sizes.ts'
import { openTestbed } from '../support/testbed.ts'
import { addCampaign, addContacts, bytesOf } from './rows.ts'

const { contacts, campaigns, callers, quietMs, mailsPerMinute, others } = sizes.closing
const mails = contacts * campaigns
const root = path.join(import.meta.dirname, '../..')

export const closing: Bench = {
  name: 'closing',
  title: 'Closing and moving a business beside others',
  method: `A business with ${number(contacts)} contacts and ${number(mails)} mails of ${campaigns} campaigns (a message, its event, a recipient and two entries of a timeline each) is exported and deleted, while another sends a campaign of ${number(mailsPerMinute)} mails a minute and ${callers} callers change and read contacts over HTTP. The file is then imported into a second installation with another secret, which compares every table with the counts and hashes of the export.`,

  async run(tell) {
    const testbed = await openTestbed({ MOVE_PASSPHRASE: passphrase, CANARY_SECONDS: '0' })
    const second = await migratedDataDir()
    const file = path.join(testbed.dataDir, 'moved.crier')
    try {
      const { db } = testbed
      tell(`making ${number(contacts)} contacts and ${number(mails)} mails`)
      const businessId = await newBusiness(db)
      const month = days(30)
      await addContacts(db, businessId, { contacts, at: later(new Date(), -month * campaigns) })
      for (let n = campaigns; n > 0; n -= 1) {
        await addCampaign(db, businessId, {
          mails: contacts,
          from: 1,
          at: later(new Date(), -month * n),
        })
      }
      await db.run(sql`vacuum analyze`)
      const load = await openCallers(testbed, { count: callers, contacts: 10_000 })
      const other = await draftIn(db, others)
      await db.run(sql`
        update campaigns set throttle_per_minute = ${mailsPerMinute} where id = ${other.campaignId}
      `)
      await sendOff(other)
      await sleep(quietMs / 10)
      const pace = (work: () => Promise<unknown>) =>
        mailsMeanwhile(db, other.businessId, () => callsBeside(load, work))
      const quiet = await pace(() => sleep(quietMs))
      tell(`quiet: ${quiet.calls} calls, p99 ${number(quiet.p99)} ms`)
      const before = await bytesOf(db)

      await db.tx((tx) =>
        closeBusiness(tx, { businessId, closedBy: null, keepsSuppressions: true, now: new Date() }),
      )
      const exporting = await pace(() =>
        crier(testbed.dataDir, ['businesses', 'export', formatId('business', businessId), file]),
      )
      const { size } = await stat(file)
      tell(`exported ${number(size / 1e6)} MB in ${number(exporting.seconds)} s`)
      const deleting = await pace(() => deleteNow(db, businessId))
      const rows = Object.values((await findClosing(db, businessId))?.deleted ?? {}).reduce(
        (sum, n) => sum + n,
        0,
      )
      tell(`deleted ${number(rows)} rows in ${number(deleting.seconds)} s`)
      await db.run(sql`vacuum`)
      const after = await bytesOf(db)
      // What is free within the files is used for the next rows.
      const next = await newBusiness(db)
      await addContacts(db, next, { contacts, at: new Date() })
      for (let n = 0; n < campaigns; n += 1) {
        await addCampaign(db, next, { mails: contacts, from: 1, at: later(new Date(), n) })
      }
      const refilled = await bytesOf(db)
      const importing = await pace(() =>
        crier(second.path, ['businesses', 'import', file, '--owner', 'owner@example.com']),
      )
      tell(`imported in ${number(importing.seconds)} s`)
      const ratio = (p99: number) => p99 / quiet.p99
      const figures: Figure[] = [
        { name: 'p99 of a call, quiet', value: `${number(quiet.p99)} ms` },
        atMost('p99 while it is exported, times quiet', ratio(exporting.p99), 3),
        atMost('p99 while it is deleted, times quiet', ratio(deleting.p99), 3),
        {
          name: 'mails a minute of the other: quiet, exporting, deleting, importing',
          value: [quiet, exporting, deleting, importing]
            .map(({ mailsAMinute }) => number(mailsAMinute))
            .join(', '),
        },
        { name: 'seconds of the export', value: number(exporting.seconds) },
        { name: 'seconds of the deletion', value: number(deleting.seconds) },
        { name: 'rows deleted a second', value: number(rows / deleting.seconds) },
        { name: 'seconds of the import', value: number(importing.seconds) },
        { name: 'file', value: `${number(size / 1e6)} MB` },
        { name: 'database before', value: `${number(before / 1e6)} MB` },
        { name: 'after the deletion and a vacuum', value: `${number(after / 1e6)} MB` },
        {
          name: 'after as much was written anew, with the mails of the other',
          value: `${number(refilled / 1e6)} MB`,
        },
      ]
      return figures
    } finally {
      await testbed.close()
      await second.remove()
      await rm(file, { force: true })
    }
  },
}

const passphrase = 'a long sentence of a bench'

async function crier(dataDir: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, DATA_DIR: dataDir, MOVE_PASSPHRASE: passphrase }
  await promisify(execFile)(process.execPath, ['cli/bin.mjs', ...args], { cwd: root, env })
}

/** What the other's campaign sends while the callers call. */
async function mailsMeanwhile(
  db: Database,
  other: Id<'business'>,
  work: () => Promise<Calls>,
): Promise<Calls & { mailsAMinute: number }> {
  const before = await sentOf(db, other)
  const calls = await work()
  const mails = (await sentOf(db, other)) - before
  return { ...calls, mailsAMinute: (mails / calls.seconds) * 60 }
}

async function sentOf(db: Database, businessId: Id<'business'>): Promise<number> {
  const { sent } = await db.one<{ sent: number }>(sql`
    select count(*)::int as sent from messages
    where business_id = ${businessId} and state not in ('queued', 'deferred')
  `)
  return sent
}

/** As if the days in which it can be taken back were over. */
async function deleteNow(db: Database, businessId: Id<'business'>): Promise<void> {
  await db.tx(async (tx) => {
    const now = new Date()
    await tx.run(sql`update business_closings set delete_at = ${now} where id = ${businessId}`)
    await enqueue(
      tx,
      [{ kind: deletionJob, businessId, payload: { business_id: businessId } }],
      now,
    )
  })
  while (!(await findClosing(db, businessId))?.deletedAt) await sleep(500)
}
