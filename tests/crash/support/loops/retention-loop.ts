/**
 * A night of retention over a business of any size, whose worker is killed by -9 again and again.
 * What is left is held against what is to be left, and no statement or transaction may be long.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { monthsBefore } from 'crier-server/accounts/businesses/retention.ts'
import { setBusiness } from 'crier-server/accounts/settings/settings.ts'
import type { Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { beginNights } from 'crier-server/retention/nights.ts'
import { newBusiness } from '../../../support/businesses/business.ts'
import { testVault } from '../../../support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../support/postgres/database.ts'
import { countLeft, deletedOf, leftOf, makeOld, months, type OldBusiness } from '../old-business.ts'
import { type Random, seededRandom } from '../random.ts'

export interface RetentionLoopOptions {
  people: number
  kills: number
  seed: number
  onKill?: (done: number, note: string) => void
}

export interface RetentionOutcome {
  /** Rows that the night deleted or blanked, by kind. */
  deleted: Record<string, number>
  /** Seconds in which a worker ran: until the night was over, and until all was forgotten. */
  nightSeconds: number
  allSeconds: number
  kills: number
  longest: Longest
}

export interface Longest {
  statementMs: number
  statement: string
  transactionMs: number
}

const script = path.join(import.meta.dirname, '../retention-process.ts')

export async function retentionLoop(options: RetentionLoopOptions): Promise<RetentionOutcome> {
  const database = await testDatabase()
  const calm = new AbortController()
  let worker: ChildProcess | undefined
  try {
    const old = await prepare(database, options.people)
    const watched = watch(database.db, calm.signal)
    const random = seededRandom(options.seed)
    const began = performance.now()
    let nightEnded: number | undefined
    let kills = 0
    worker = await startWorker(database)
    for (;;) {
      // While kills are left the next one comes; afterwards it is waited for the end. The first
      // comes at once, so that on a fast machine too there is work left that it can cut off.
      const waitMs = kills === 0 ? random.whole(5, firstKillWithinMs) : killAfterMs(random, options)
      await sleep(kills < options.kills ? waitMs : 20)
      const { night, waiting, note } = await progressOf(database.db, old.businessId)
      if (night) nightEnded ??= performance.now()
      if (waiting === 0 && night) break
      assert.ok(performance.now() - began < mostMs(options), `not over: ${note}`)
      if (kills >= options.kills) continue
      await killed(worker)
      kills += 1
      options.onKill?.(kills, note)
      worker = await startWorker(database)
    }
    const allEnded = performance.now()
    calm.abort()
    const longest = await watched
    const deleted = await verify(old)
    return {
      deleted,
      nightSeconds: ((nightEnded ?? allEnded) - began) / 1000,
      allSeconds: (allEnded - began) / 1000,
      kills,
      longest,
    }
  } finally {
    calm.abort()
    worker?.kill('SIGKILL')
    await database.drop()
  }
}

const firstKillWithinMs = 60

/** So that the kills spread over the whole of it. */
const killAfterMs = (random: Random, { people, kills }: RetentionLoopOptions) =>
  random.whole(100, Math.max(400, Math.ceil(people / (4 * kills))))
/** A worker that was killed holds its job until its lease ends. */
const mostMs = ({ people, kills }: RetentionLoopOptions) => 60_000 + kills * 10_000 + people * 10

async function prepare({ db }: TestDatabase, people: number): Promise<OldBusiness> {
  const businessId = await newBusiness(db)
  const now = systemClock.now()
  // The night begins at three: where it is night in one zone it is day in the other.
  const zone = now.getUTCHours() >= 3 ? 'UTC' : 'Asia/Tokyo'
  await db.run(sql`update businesses set time_zone = ${zone} where id = ${businessId}`)
  const retention = { messages: months, evidence: months, submissions: months, contacts: months }
  const change = { key: 'retention', value: JSON.stringify(retention), now }
  await setBusiness(db, businessId, change)
  const old: OldBusiness = { db, businessId, people, cut: monthsBefore(now, months) }
  await makeOld(old)
  await beginNights({ db, clock: systemClock, hmac: testVault.hmac, historyMonths: null })
  return old
}

async function startWorker({ connection }: TestDatabase): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--conditions=crier-source', script, JSON.stringify(connection)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  if (child.exitCode !== null) throw new Error('a worker ended by itself')
  return child
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Whether the night is over, and what is left to do. Nobody here places events in the feed. */
async function progressOf(db: Db, businessId: Id<'business'>) {
  const run = await db.one<{ kind: string; over: boolean; deleted: object }>(sql`
    select kind, finished_at is not null as over, deleted from retention_runs
    where business_id = ${businessId}
  `)
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from jobs where kind <> 'event.fanout'
  `)
  const note = `${run.kind}, ${JSON.stringify(run.deleted)}, ${n} jobs`
  return { night: run.over, waiting: n, note }
}

/** The longest statement and transaction of others, to some 20 ms. */
async function watch(db: Db, signal: AbortSignal): Promise<Longest> {
  const longest: Longest = { statementMs: 0, statement: '', transactionMs: 0 }
  while (!signal.aborted) {
    const rows = await db.all<{ text: string; statement: number; transaction: number }>(sql`
      select query as text,
        case when state = 'active'
          then extract(epoch from clock_timestamp() - query_start) * 1000 else 0 end::float8
          as statement,
        coalesce(extract(epoch from clock_timestamp() - xact_start) * 1000, 0)::float8
          as transaction
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend' and state <> 'idle'
    `)
    for (const { text, statement, transaction } of rows) {
      longest.transactionMs = Math.max(longest.transactionMs, Math.round(transaction))
      if (statement <= longest.statementMs) continue
      Object.assign(longest, { statementMs: Math.round(statement), statement: text })
    }
    await sleep(20)
  }
  return longest
}

/** Throws where anything is left that is to be gone, or gone that is to be left. */
async function verify(old: OldBusiness): Promise<Record<string, number>> {
  const { db, businessId, people } = old
  assert.deepEqual(await countLeft(old), leftOf(people))
  const [audit, ...more] = await db.all<{ details: Record<string, number> }>(sql`
    select details from audit_entries
    where business_id = ${businessId} and action = 'retention.apply'
  `)
  assert.ok(audit)
  assert.equal(more.length, 0, 'the night is told of once')
  assert.deepEqual(audit.details, deletedOf(people))
  return audit.details
}
