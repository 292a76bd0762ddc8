/**
 * Storm, kill, recovery, verification, as in `crash-loop.ts`, with writes of operations. Each storm
 * has its own business. The crashes' leftovers stay in the queues for the next ones, and in the end
 * the feed of every storm is read to its end.
 */

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../../../server/src/config.ts'
import type { Id } from '../../../../server/src/core/ids.ts'
import { openVault } from '../../../../server/src/core/installation/root-key.ts'
import { installationSecret } from '../../../../server/src/lib/crypto/vault.ts'
import type { Database } from '../../../../server/src/lib/db/types.ts'
import { newBusiness } from '../../../support/businesses/business.ts'
import { type FeedReader, feedReader } from '../../../support/clients/feed-reader.ts'
import { newGrant, tokenMint } from '../../../support/clients/grants.ts'
import { type ToolCaller, toolCaller } from '../../../support/clients/tool-caller.ts'
import { freePort } from '../../../support/network/port.ts'
import { backWithin, comeBack } from '../come-back.ts'
import { type DataDir, migratedDataDir } from '../data-dir.ts'
import { type Kind, kinds, strike } from '../kill.ts'
import { type Random, seededRandom } from '../random.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { assertDurable } from '../verify.ts'
import { newWriteLedger, type WriteKind, type WriteLedger } from '../write-ledger.ts'
import { clientCount, writeStorm } from '../write-storm.ts'
import { eventsOf, verifyWrites, type WriteVerdict } from '../write-verify.ts'

export interface WriteLoopOptions {
  kills: number
  seed: number
  /** Called after each kill that the service survived. */
  onKill?: (done: number, report: WriteReport) => void
}

export interface WriteReport extends WriteVerdict {
  kind: Kind
  /** Acknowledged writes by kind. */
  acknowledged: Record<WriteKind, number>
  events: number
  /** Milliseconds from the kill until the service was ready again. */
  backAfter: number
}

/** Another worker takes over a dead worker's shards and jobs after 17 s. */
const feedWithin = 60_000

export async function writeLoop({ kills, seed, onKill }: WriteLoopOptions): Promise<WriteReport[]> {
  const random = seededRandom(seed)
  const dataDir = await migratedDataDir()
  let service = await start(dataDir, await freePort())
  try {
    const reports: WriteReport[] = []
    const feeds: Storm[] = []
    for (const kind of kindsFor(kills, random)) {
      const storm = await withDatabase(dataDir, (db) => prepare(db, dataDir, service))
      const calm = new AbortController()
      const raging = writeStorm(storm.ledger, storm, calm.signal)
      const reading = readThrough(storm.feed, calm.signal)
      await Promise.race([raging, sleep(random.whole(200, 1200))])
      const at = performance.now()
      await strike(kind, { service, dataDir, random })
      service = await comeBack({ kind, at, service }, (port) => start(dataDir, port))
      const backAfter = performance.now() - at
      await sleep(200)
      calm.abort()
      await Promise.all([raging, reading])
      reports.push({
        kind,
        backAfter,
        ...(await withDatabase(dataDir, (db) => verified(storm, db))),
      })
      feeds.push(storm)
      onKill?.(reports.length, reports.at(-1) as WriteReport)
    }
    await withDatabase(dataDir, async (db) => {
      for (const storm of feeds) await assertFed(storm, db)
    })
    return reports
  } finally {
    await service.stop()
    await dataDir.remove()
  }
}

/** Every kind about equally often, first those after which a worker's leases must expire. */
function kindsFor(count: number, random: Random): Kind[] {
  const rounds = Array.from({ length: Math.ceil(count / kinds.length) }, (_, round) =>
    round === 0 ? (['both', 'service', 'database', 'postmaster', 'backend'] as const) : kinds,
  )
  return rounds
    .flatMap((round, i): Kind[] => (i === 0 ? [...round] : random.shuffled(round)))
    .slice(0, count)
}

/** The form that `write-storm.ts` fills in. */
export const formToStorm = {
  name: 'Form',
  status: 'published',
  fields: [
    { key: 'email', label: 'Email', type: 'email', required: true },
    { key: 'number', label: 'Number', type: 'number' },
  ],
}

/** One for each client, and some for the checks and the reader. */
const tokenCount = clientCount + 10

interface Storm {
  business: Id<'business'>
  ledger: WriteLedger
  /** One for each client. */
  callers: ToolCaller[]
  caller: ToolCaller
  forms: string[]
  feed: FeedReader
}

async function prepare(db: Database, dataDir: DataDir, service: ServiceProcess): Promise<Storm> {
  await assertDurable(db)
  const business = await newBusiness(db)
  const grant = await newGrant(db, { businesses: [business] })
  const config = readConfig({ PORT: String(service.port), DATA_DIR: dataDir.path })
  const mint = tokenMint({
    db,
    config,
    vault: await openVault(db, installationSecret(dataDir.path), new Date()),
  })
  const endpoint = `${service.origin}/api/functions/svc-mcp`
  // All at once, because during the storm there is no database to make them with.
  const tokens = await Promise.all(Array.from({ length: tokenCount }, () => mint(grant)))
  const newCaller = () => toolCaller(endpoint, () => Promise.resolve(tokens.pop() ?? ''))
  const caller = newCaller()
  const callers = Array.from({ length: clientCount }, newCaller)
  const forms: string[] = []
  for (let i = 0; i < 3; i++) {
    forms.push((await caller.get<{ form_id: string }>('form.save', formToStorm)).form_id)
  }
  const feed = feedReader(newCaller(), 50)
  return { business, ledger: newWriteLedger(), callers, caller, forms, feed }
}

/** A reader that keeps its cursor while the service is down. */
async function readThrough(feed: FeedReader, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await feed.readOn().catch(() => {})
    await sleep(50)
  }
}

async function verified(storm: Storm, db: Database) {
  await assertDurable(db)
  const { business, caller, ledger } = storm
  const verdict = await verifyWrites(ledger, { db, business, caller })
  const count = (kind: WriteKind) =>
    ledger.writes.filter((write) => write.kind === kind && write.answer).length
  const acknowledged = {
    upsert: count('upsert'),
    submission: count('submission'),
    import: count('import'),
  }
  return { ...verdict, acknowledged, events: (await eventsOf(db, business)).length }
}

/** Asserts that the reader got every event of the storm exactly once. */
async function assertFed({ business, feed }: Storm, db: Database): Promise<void> {
  const ids = (await eventsOf(db, business)).map(({ id }) => id)
  await feed.readUntil(() => feed.events.length >= ids.length, feedWithin)
  const seen = feed.events.map(({ id }) => id)
  assert.deepEqual(seen.toSorted(), ids.toSorted())
}

function start(dataDir: DataDir, port: number): Promise<ServiceProcess> {
  return startService({ dataDir: dataDir.path, port, readyWithin: backWithin })
}

async function withDatabase<T>(dataDir: DataDir, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await dataDir.open()
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}
