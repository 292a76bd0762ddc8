/**
 * People enter a sequence of five mails with splits while its workers and its database are killed by
 * -9 again and again, the clock is set forward and back by two hours, and everything is lost once and
 * restored to a moment. At the end each person is in one state, nobody was written to twice by one
 * step, in the lost database and the restored one together, nobody missed a mail whom the restore did
 * not leave in doubt, and `sequence.why` tells the same of each person.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { saveContacts } from 'crier-server/contacts/save.ts'
import { formatId, type Id, newId } from 'crier-server/core/ids.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { installationSecret } from 'crier-server/lib/crypto/vault.ts'
import { openDatabase, sql } from 'crier-server/lib/db/db.ts'
import { migrate } from 'crier-server/lib/db/migrate.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { openPostgres, type Postgres } from 'crier-server/lib/postgres/open.ts'
import { type Clock, hours } from 'crier-server/lib/time/clock.ts'
import { sequenceResume } from 'crier-server/sequences/resume.ts'
import { sequenceWhy } from 'crier-server/sequences/why.ts'
import { createTemplates } from 'crier-server/templates/compile.ts'
import {
  archived,
  newBackupFolder,
  passphrase,
  runCrier,
} from '../../../restore/support/installation.ts'
import { toSave } from '../../../support/businesses/contacts.ts'
import { sequenceScene } from '../../../support/businesses/sequences.ts'
import { callerAs } from '../../../support/clients/calls.ts'
import { endLeases } from '../../../support/jobs/end-leases.ts'
import { silentLog } from '../../../support/silent-log.ts'
import { until } from '../../../support/time/eventually.ts'
import { type DataDir, migratedDataDir, newDataDir } from '../data-dir.ts'
import { type Kind, kinds, strike } from '../kill.ts'
import { type Random, seededRandom } from '../random.ts'
import { type Workers, workersOf } from '../sequence-workers.ts'

export interface SequenceLoopOptions {
  people: number
  kills: number
  seed: number
  onKill?: (done: number) => void
}

export interface SequenceOutcome {
  people: number
  /** How often each kind of kill struck. */
  kills: Partial<Record<Kind, number>>
  mails: number
  /** Entries whose steps had begun and not ended at each kill. */
  inside: number[]
  /** Mails that only the lost database had. */
  lostMails: number
  /** People who entered after the moment of the restore, of whom the restored database knows nothing. */
  gone: number
  /** People who left because they may have got a mail after that moment. */
  inDoubt: number
  /** People about whom `sequence.why` was asked. */
  asked: number
}

/** The database of a folder, with the server that this process keeps up. */
interface Place {
  dataDir: DataDir
  postgres: Postgres
  db: Database
}

const clockModule = path.join(import.meta.dirname, '../../../restore/support/clock-ahead.mjs')

export async function sequenceLoop(options: SequenceLoopOptions): Promise<SequenceOutcome> {
  const { people, kills, seed, onKill } = options
  const random = seededRandom(seed)
  const templates = createTemplates()
  const backups = await newBackupFolder()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-ahead-'))
  const time = timeIn(path.join(folder, 'ahead'), kills)
  const { clock } = time
  const env = { BACKUP_TO: backups.path, BACKUP_PASSPHRASE: passphrase }
  /** The most milliseconds until what is due is done. */
  const within = 120_000 + people * 30
  const folders: DataDir[] = [await migratedDataDir()]
  const first = folders[0] as DataDir
  let place = await openPlace(first, clock, path.join(backups.path, 'wal'))
  let workers: Workers | undefined
  const outcome: SequenceOutcome = {
    people,
    kills: {},
    mails: 0,
    inside: [],
    lostMails: 0,
    gone: 0,
    inDoubt: 0,
    asked: 0,
  }
  const sent = new Map<string, Sent>()
  try {
    const scene = await sequenceScene({ db: place.db, templates, clock })
    const { id } = scene
    const sequenceId = await beginSequence(scene)
    workers = workersOf(place.postgres.connection, time.file)
    await workers.start()
    let saved = 0
    const restoreAt = Math.ceil((kills + 1) / 2)
    for (const [index, kind] of kindsFor(kills, random).entries()) {
      const kill = index + 1
      const { db } = place
      if (kill === Math.max(1, restoreAt - 1)) {
        const made = await runCrier(
          ['backup'],
          { ...env, DATA_DIR: first.path },
          { withinMs: within },
        )
        assert.equal(made.code, 0, made.stderr)
        time.beginPeak()
      }
      const upTo = Math.ceil((people * kill) / kills)
      const saving = (async () => {
        while (saved < upTo) {
          const batch = Array.from({ length: Math.min(100, upTo - saved) }, () => saved++)
          const items = batch.map((n) => toSave(id, personOf(n)))
          // A batch whose answer a kill took may be there already: nobody agrees twice.
          await steadily(() => db.tx((tx) => saveContacts.save(tx, items, clock.now())))
        }
      })()
      // The first kill may come before anybody has entered, the others come while people are inside.
      if (kill > 1) {
        await until(() => isSomebodyInside(db, id), 'somebody inside', within)
      }
      await sleep(random.whole(50, 400))
      if (kill === restoreAt) {
        await saving
        const lost = await loseAfterMoment(place, { businessId: id, workers, clock, within })
        for (const mail of lost.mails) noteSent(sent, mail)
        const target = await newDataDir()
        folders.push(target)
        place = await restored(target, {
          env,
          from: backups.path,
          at: lost.moment,
          time,
          withinMs: within,
        })
        outcome.gone = saved + latePeople - (await countPeople(place.db, id))
        outcome.lostMails = lost.mails.length - (await readMails(place.db, id)).length
        await resume(place.db, { businessId: id, sequenceId, clock })
        await endLeases(place.db)
        workers = workersOf(place.postgres.connection, time.file)
        await workers.start()
        onKill?.(kill)
        continue
      }
      await strike(kind, { service: workers, dataDir: place.dataDir, random })
      outcome.kills[kind] = (outcome.kills[kind] ?? 0) + 1
      await saving
      outcome.inside.push(await steadily(() => countInside(db, id)))
      // A worker that lives through a jump claims nothing until its clock is right again.
      if (kind === 'service' || kind === 'both') {
        time.jump(hours(random.whole(-2, 2)))
        await steadily(() => endLeases(db))
        await workers.start()
      }
      onKill?.(kill)
    }
    const { db } = place
    const isDone = () => steadily(async () => (await overdue(db, id, clock.now())) === 0)
    // A job that was queued while the clock was ahead waits until that time has come. Then three
    // times: an entry, a wait of an hour, and one of two.
    for (const by of [undefined, 3, 3, 3]) {
      if (by === undefined) time.toFurthest()
      else time.jump(hours(by))
      await until(isDone, 'what is due', within)
    }
    for (const mail of await readMails(db, id)) noteSent(sent, mail)
    const verdict = await verify(db, { businessId: id, sent, outcome })
    const asked = await askWhy(db, { businessId: id, sequenceId, clock })
    return { ...outcome, ...verdict, asked }
  } finally {
    await workers?.kill()
    await place.db.end().catch(() => {})
    await place.postgres.stop()
    await templates.close()
    await backups.remove()
    await rm(folder, { recursive: true, force: true })
    for (const dataDir of folders) await dataDir.remove()
  }
}

/** Every kind about equally often: first those that take the whole database. */
function kindsFor(count: number, random: Random): Kind[] {
  const rounds = Math.ceil(count / kinds.length)
  return Array.from({ length: rounds }, (_, round): readonly Kind[] =>
    round === 0 ? ['both', 'database', 'service', 'postmaster', 'backend'] : random.shuffled(kinds),
  )
    .flat()
    .slice(0, count)
}

/** The clock of the workers, so far ahead that it never shows a time before the loop began. */
function timeIn(file: string, kills: number) {
  let ahead = hours(4) + kills * hours(2)
  let furthest = ahead
  let peak = ahead
  const set = (to: number) => {
    ahead = to
    furthest = Math.max(furthest, ahead)
    peak = Math.max(peak, ahead)
    writeFileSync(file, String(ahead))
  }
  set(ahead)
  const clock: Clock = { now: () => new Date(Date.now() + ahead) }
  return {
    file,
    clock,
    jump: (by: number) => set(ahead + by),
    toFurthest: () => set(furthest),
    beginPeak() {
      peak = ahead
    },
    /** The latest that the clock showed since the peak began. */
    toPeak() {
      set(peak)
      return peak
    },
  }
}

type Time = ReturnType<typeof timeIn>

async function openPlace(dataDir: DataDir, clock: Clock, archiveTo?: string): Promise<Place> {
  const postgres = await openPostgres({
    dataDir: dataDir.path,
    databaseUrl: undefined,
    log: silentLog,
    archiveTo,
  })
  await migrate(postgres.connection)
  const { connection } = postgres
  const db = openDatabase({ connection, poolSize: 4, onIdleError: () => {} })
  await openVault(db, installationSecret(dataDir.path), clock.now())
  return { dataDir, postgres, db }
}

/** Asks again while the database is away. */
async function steadily<T>(ask: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + 120_000; ; await sleep(50)) {
    try {
      return await ask()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

interface Sent {
  email: string
  step: number
  messageId: string
}

/** No step may have two messages to one person, in whichever database. */
function noteSent(sent: Map<string, Sent>, mail: Sent): void {
  const key = `${mail.email} ${mail.step}`
  const before = sent.get(key)
  assert.ok(
    !before || before.messageId === mail.messageId,
    `step ${mail.step} twice: ${mail.email}`,
  )
  sent.set(key, mail)
}

interface Losing {
  businessId: Id<'business'>
  workers: Workers
  clock: Clock
  within: number
}

/** People who agree after the moment, and get their first mail. */
const latePeople = 20

/** Lets mails be sent after a moment, then kills everything and loses it. */
async function loseAfterMoment(place: Place, { businessId, workers, clock, within }: Losing) {
  const { db, dataDir, postgres } = place
  await sleep(1_100)
  const moment = new Date()
  const before = await countMails(db, businessId)
  await sleep(1_100)
  const items = Array.from({ length: latePeople }, (_, n) =>
    toSave(businessId, { email: `late-${n}@example.com`, consent: agreed }),
  )
  await db.tx((tx) => saveContacts.save(tx, items, clock.now()))
  await until(
    async () => (await countMails(db, businessId)) > before,
    'a mail after the moment',
    within,
  )
  await workers.kill()
  await archived(dataDir)
  const mails = await readMails(db, businessId)
  await db.end()
  const service = { kill: () => workers.kill() }
  await strike('both', { service, dataDir, random: seededRandom(1) })
  await postgres.stop()
  return { moment, mails }
}

interface Restoring {
  env: Record<string, string>
  from: string
  at: Date
  time: Time
  withinMs: number
}

/** As an operator does it, on a machine whose clock is no earlier than that of what was lost. */
async function restored(
  target: DataDir,
  { env, from, at, time, withinMs }: Restoring,
): Promise<Place> {
  const ahead = { NODE_OPTIONS: `--import=${clockModule}`, CLOCK_AHEAD_MS: String(time.toPeak()) }
  const to = { ...env, DATA_DIR: target.path }
  const ran = await runCrier(
    ['restore', from, '--at', at.toISOString()],
    { ...to, ...ahead },
    { withinMs },
  )
  assert.equal(ran.code, 0, ran.stderr)
  const started = await runCrier(['sending', 'start'], to)
  assert.equal(started.code, 0, started.stderr)
  return openPlace(target, time.clock)
}

interface Which {
  businessId: Id<'business'>
  sequenceId: string
  clock: Clock
}

async function resume(db: Database, { businessId, sequenceId, clock }: Which): Promise<void> {
  const { status } = await ownerIn(db, { businessId, clock }).get<{ status: string }>(
    sequenceResume,
    { sequence_id: sequenceId },
  )
  assert.equal(status, 'running')
}

const ownerIn = (db: Database, { businessId, clock }: Pick<Which, 'businessId' | 'clock'>) =>
  callerAs(
    { db, clock },
    {
      connectionId: null,
      userId: newId('user'),
      scopes: new Set(['audience:read', 'audience:write', 'messaging:send']),
      businesses: [{ id: businessId, name: 'Shop', tier: 'scale', role: 'owner' }],
    },
  )

type Scene = Awaited<ReturnType<typeof sequenceScene>>

/** The numbers of the steps that send, by the name of their mail. */
const steps = { welcome: 1, odd: 4, third: 6, even: 7, last: 10 } as const

async function beginSequence({ begin, template }: Scene): Promise<string> {
  const [welcome, odd, third, even, last] = await Promise.all(
    Object.keys(steps).map((name) => template(name)),
  )
  return begin({
    enter: { on: 'consent.given' },
    steps: [
      welcome,
      { wait: '1 hour' },
      {
        split: [
          {
            if: { tag: 'odd' },
            steps: [odd, { split: [{ if: { tag: 'third' }, steps: [third] }] }],
          },
          { steps: [even] },
        ],
      },
      { wait: '2 hours' },
      { tag: 'done' },
      last,
    ],
  })
}

const isOdd = (n: number) => n % 2 === 1
const isThird = (n: number) => n % 3 === 0
const agreed = { email: { status: 'subscribed' as const, source: 'a test' } }

function personOf(n: number) {
  const tags = [...(isOdd(n) ? ['odd'] : []), ...(isThird(n) ? ['third'] : [])]
  return { email: `p${n}@example.com`, consent: agreed, ...(tags.length > 0 && { tags }) }
}

function stepsFor(n: number): number[] {
  const branch = isOdd(n) ? [steps.odd, ...(isThird(n) ? [steps.third] : [])] : [steps.even]
  return [steps.welcome, ...branch, steps.last]
}

async function isSomebodyInside(db: Database, businessId: Id<'business'>): Promise<boolean> {
  return (await steadily(() => countInside(db, businessId))) > 0
}

async function countInside(db: Database, businessId: Id<'business'>): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from sequence_entries
    where business_id = ${businessId} and state = 'active'
  `)
  return n
}

async function countPeople(db: Database, businessId: Id<'business'>): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from contacts where business_id = ${businessId}
  `)
  return n
}

async function countMails(db: Database, businessId: Id<'business'>): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from messages where business_id = ${businessId}
  `)
  return n
}

function readMails(db: Database, businessId: Id<'business'>): Promise<Sent[]> {
  return db.all(sql`
    select recipient as email, (labels ->> 'step')::int as step, id as "messageId" from messages
    where business_id = ${businessId}
  `)
}

/** What is still to be done now: events without a position, and people whose time has come. */
async function overdue(db: Database, businessId: Id<'business'>, now: Date): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select (
      select count(*)::int from sequence_entries
      where business_id = ${businessId} and state = 'active' and due_at <= ${now}
    ) + (select count(*)::int from jobs where kind = 'event.fanout') as n
  `)
  return n
}

interface Verifying {
  businessId: Id<'business'>
  sent: ReadonlyMap<string, Sent>
  outcome: SequenceOutcome
}

interface Ended {
  email: string
  states: string[]
  tags: string[]
}

/**
 * Everybody whom the database knows has one entry that ended: at its end with each step's mail once,
 * or left in doubt with the mails of the first steps.
 */
async function verify(db: Database, { businessId, sent, outcome }: Verifying) {
  const entries = await db.all<Ended>(sql`
    select c.email, c.tags, array_agg(e.state || coalesce(' ' || e.reason, '')) as states
    from contacts c
    left join sequence_entries e on e.business_id = c.business_id and e.contact_id = c.id
    where c.business_id = ${businessId} group by c.email, c.tags
  `)
  assert.equal(entries.length, outcome.people + latePeople - outcome.gone)
  const stepsOf = Map.groupBy(sent.values(), ({ email }) => email)
  let inDoubt = 0
  for (const { email, states, tags } of entries) {
    const expected = stepsFor(Number(email.slice(1).split('@')[0]))
    const got = (stepsOf.get(email) ?? []).map(({ step }) => step).sort((a, b) => a - b)
    if (states[0] === 'left in_doubt') {
      inDoubt += 1
      assert.deepEqual([email, states.length, got], [email, 1, expected.slice(0, got.length)])
      continue
    }
    assert.deepEqual([email, states, tags.includes('done')], [email, ['finished'], true])
    assert.deepEqual([email, got], [email, expected])
  }
  const events = await db.one<{ finished: number }>(sql`
    select count(*)::int as finished from events
    where business_id = ${businessId} and type = 'sequence.finished'
  `)
  assert.equal(events.finished, entries.length - inDoubt)
  return { mails: sent.size, inDoubt }
}

interface Why {
  entries: { state: string; reason: string | null; steps: { step: number; outcome: string }[] }[]
}

/** Questions that wait for their answers at one time. */
const askedAtOnce = 8

/** Asks about everybody: what it tells is what the rows of messages and entries say. */
async function askWhy(db: Database, which: Which): Promise<number> {
  const { businessId, sequenceId } = which
  const owner = ownerIn(db, which)
  const people = await db.all<{ id: Id<'contact'>; state: string; mails: number }>(sql`
    select c.id, e.state, (
      select count(*)::int from messages m
      where m.business_id = c.business_id and m.contact_id = c.id
    ) as mails
    from contacts c
    join sequence_entries e on e.business_id = c.business_id and e.contact_id = c.id
    where c.business_id = ${businessId}
  `)
  const ask = async ({ id, state, mails }: (typeof people)[number]) => {
    const { entries } = await owner.get<Why>(sequenceWhy, {
      sequence_id: sequenceId,
      contact_id: formatId('contact', id),
    })
    const [entry] = entries
    const numbers: readonly number[] = Object.values(steps)
    const sent = entry?.steps.filter(
      ({ step, outcome }) => outcome === 'done' && numbers.includes(step),
    )
    assert.deepEqual([entries.length, entry?.state, sent?.length], [1, state, mails])
  }
  for (let from = 0; from < people.length; from += askedAtOnce) {
    await Promise.all(people.slice(from, from + askedAtOnce).map(ask))
  }
  return people.length
}
