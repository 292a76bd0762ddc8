/**
 * People enter a sequence of five steps with splits while its workers are killed by -9 again and
 * again, and their clock is set forward and back by two hours. At the end each person is in one
 * state, nobody was written to twice by one step, and nobody missed a mail.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { saveContacts } from 'crier-server/contacts/save.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { hours } from 'crier-server/lib/time/clock.ts'
import { createTemplates } from 'crier-server/templates/compile.ts'
import { toSave } from '../../../support/businesses/contacts.ts'
import { sequenceScene } from '../../../support/businesses/sequences.ts'
import { endLeases } from '../../../support/jobs/end-leases.ts'
import { testDatabase } from '../../../support/postgres/database.ts'
import { until } from '../../../support/time/eventually.ts'
import { seededRandom } from '../random.ts'

export interface SequenceLoopOptions {
  people: number
  kills: number
  seed: number
  onKill?: (done: number) => void
}

export interface SequenceOutcome {
  people: number
  kills: number
  mails: number
  /** Entries whose steps had begun and not ended when the workers were killed. */
  inside: number[]
}

const script = path.join(import.meta.dirname, '../sequence-process.ts')
const workers = 2

export async function sequenceLoop(options: SequenceLoopOptions): Promise<SequenceOutcome> {
  const { people, kills, seed, onKill } = options
  const random = seededRandom(seed)
  const database = await testDatabase()
  const templates = createTemplates()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-ahead-'))
  const aheadFile = path.join(folder, 'ahead')
  // So far ahead that the clock never shows a time before the test began.
  let ahead = hours(4) + kills * hours(2)
  let furthest = ahead
  const setAhead = () => writeFileSync(aheadFile, String(ahead))
  setAhead()
  const clock = { now: () => new Date(Date.now() + ahead) }
  /** The most milliseconds until what is due is done. */
  const within = 60_000 + people * 30
  let running: ChildProcess[] = []
  try {
    const scene = await sequenceScene({ db: database.db, templates, clock })
    const { db, id } = scene
    await beginSequence(scene)
    const start = async () => {
      running = await Promise.all(
        Array.from({ length: workers }, () => startWorker(database.connection, aheadFile)),
      )
    }
    const inside: number[] = []
    await start()
    let saved = 0
    for (let kill = 1; kill <= kills; kill++) {
      const upTo = Math.ceil((people * kill) / kills)
      const saving = (async () => {
        while (saved < upTo) {
          const batch = Array.from({ length: Math.min(50, upTo - saved) }, () => saved++)
          const items = batch.map((n) => toSave(id, personOf(n)))
          await db.tx((tx) => saveContacts.save(tx, items, clock.now()))
        }
      })()
      // The first kill may come before anybody has entered, the others come while people are inside.
      if (kill > 1) {
        await until(async () => (await countInside(db, id)) > 0, 'somebody inside', within)
      }
      await sleep(random.whole(50, 400))
      await Promise.all(running.map(killed))
      await saving
      inside.push(await countInside(db, id))
      ahead += hours(random.whole(-2, 2))
      furthest = Math.max(furthest, ahead)
      setAhead()
      await endLeases(db)
      await start()
      onKill?.(kill)
    }
    // A job that was queued while the clock was ahead waits until that time has come.
    ahead = furthest
    setAhead()
    await until(async () => (await overdue(db, id, clock.now())) === 0, 'what is due', within)
    // Three times: an entry, a wait of an hour, and one of two.
    for (let n = 0; n < 3; n++) {
      ahead += hours(3)
      setAhead()
      await until(async () => (await overdue(db, id, clock.now())) === 0, 'what is due', within)
    }
    const mails = await verify(db, { businessId: id, people })
    return { people, kills, mails, inside }
  } finally {
    await Promise.all(running.map(killed))
    await templates.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Scene = Awaited<ReturnType<typeof sequenceScene>>

/** The numbers of the steps that send, by the name of their mail. */
const steps = { welcome: 1, odd: 4, third: 6, even: 7, last: 10 } as const

async function beginSequence({ begin, template }: Scene) {
  const [welcome, odd, third, even, last] = await Promise.all(
    Object.keys(steps).map((name) => template(name)),
  )
  await begin({
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
const addressOf = (n: number) => `p${n}@example.com`

function personOf(n: number) {
  const tags = [...(isOdd(n) ? ['odd'] : []), ...(isThird(n) ? ['third'] : [])]
  const given = { status: 'subscribed' as const, source: 'a test' }
  return { email: addressOf(n), consent: { email: given }, ...(tags.length > 0 && { tags }) }
}

function stepsFor(n: number): number[] {
  const branch = isOdd(n) ? [steps.odd, ...(isThird(n) ? [steps.third] : [])] : [steps.even]
  return [steps.welcome, ...branch, steps.last]
}

type Db = Scene['db']

async function startWorker(connection: object, aheadFile: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--conditions=crier-source', script, JSON.stringify(connection), aheadFile],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  if (child.exitCode !== null) throw new Error('a worker ended by itself')
  return child
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

async function countInside(db: Db, businessId: Scene['id']): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from sequence_entries
    where business_id = ${businessId} and state = 'active'
  `)
  return n
}

/** What is still to be done now: events without a position, and people whose time has come. */
async function overdue(db: Db, businessId: Scene['id'], now: Date): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select (
      select count(*)::int from sequence_entries
      where business_id = ${businessId} and state = 'active' and due_at <= ${now}
    ) + (select count(*)::int from jobs where kind = 'event.fanout') as n
  `)
  return n
}

interface Verifying {
  businessId: Scene['id']
  people: number
}

/** Every person has one entry that ended, and each step's mail once. Returns how many mails. */
async function verify(db: Db, { businessId, people }: Verifying): Promise<number> {
  const entries = await db.all<{ email: string; state: string; n: number; tags: string[] }>(sql`
    select c.email, min(e.state) as state, count(*)::int as n, c.tags
    from sequence_entries e
    join contacts c on c.business_id = e.business_id and c.id = e.contact_id
    where e.business_id = ${businessId} group by c.email, c.tags
  `)
  assert.equal(entries.length, people, 'somebody never entered')
  for (const { email, state, n, tags } of entries) {
    assert.deepEqual([email, state, n, tags.includes('done')], [email, 'finished', 1, true])
  }
  const mails = await db.all<{ recipient: string; steps: number[] }>(sql`
    select m.recipient, array_agg((m.labels ->> 'step')::int order by (m.labels ->> 'step')::int) as steps
    from messages m where m.business_id = ${businessId} group by m.recipient
  `)
  const byAddress = new Map(mails.map((row) => [row.recipient, row.steps]))
  for (let n = 0; n < people; n++) {
    assert.deepEqual([n, byAddress.get(addressOf(n))], [n, stepsFor(n)])
  }
  const events = await db.all<{ type: string; n: number }>(sql`
    select type, count(*)::int as n from events
    where business_id = ${businessId} and type like 'sequence.%' group by type order by type
  `)
  assert.deepEqual(
    events.map(({ type, n }) => [type, n]),
    [
      ['sequence.entered', people],
      ['sequence.finished', people],
    ],
  )
  return mails.reduce((sum, row) => sum + row.steps.length, 0)
}
