/** Events sent to `contact.track` are stored once, whatever is killed and however often sent. */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../server/src/config.ts'
import type { Id } from '../../server/src/core/ids.ts'
import { openVault } from '../../server/src/core/installation/root-key.ts'
import { installationSecret } from '../../server/src/lib/crypto/vault.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { newBusiness } from '../support/businesses/business.ts'
import { newGrant, tokenMint } from '../support/clients/grants.ts'
import { type ToolCaller, toolCaller } from '../support/clients/tool-caller.ts'
import { freePort } from '../support/network/port.ts'
import { backWithin, comeBack } from './support/come-back.ts'
import { type DataDir, migratedDataDir } from './support/data-dir.ts'
import { strike } from './support/kill.ts'
import { type Random, seededRandom } from './support/random.ts'
import { type ServiceProcess, startService } from './support/service-process.ts'

const clientCount = 4
const people = 50
const eventsPerCall = 1_000

interface Call {
  events: object[]
  ids: string[]
  /** The number of answers to the call; an unanswered call is repeated. */
  answers: number
  failures: number
}

interface Answer {
  tracked: number
  repeated: number
  refused: number
}

test('tracked events sent while the service is killed are stored once each, also when repeated', async (t) => {
  const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 32))
  t.diagnostic(`CRASH_SEED=${seed}`)
  const random = seededRandom(seed)
  const dataDir = await migratedDataDir()
  t.after(() => dataDir.remove())
  const start = (port: number) =>
    startService({ dataDir: dataDir.path, port, readyWithin: backWithin })
  let service = await start(await freePort())
  t.after(() => service.stop())
  for (const kind of ['service', 'database', 'both'] as const) {
    const storm = await prepare(dataDir, service)
    const calls: Call[] = []
    const calm = new AbortController()
    const raging = storm.callers.map((caller) => rage({ caller, calls, random }, calm.signal))
    while (calls.filter(({ answers }) => answers > 0).length < 3) await sleep(20)
    await sleep(random.whole(50, 400))
    const at = performance.now()
    await strike(kind, { service, dataDir, random })
    service = await comeBack({ kind, at, service }, start)
    calm.abort()
    await Promise.all(raging)
    const lost = calls.filter(({ failures }) => failures > 0)
    assert.ok(lost.length > 0, 'the kill interrupted nothing')
    // Every call is repeated, because its client may not know whether it was answered.
    let repeated = 0
    for (const call of calls) {
      const answer = await tell(storm.callers[0] as ToolCaller, call)
      assert.deepEqual([answer.tracked + answer.repeated, answer.refused], [eventsPerCall, 0])
      if (call.answers > 1) assert.equal(answer.tracked, 0, 'an answered call was lost')
      repeated += answer.repeated
    }
    const told = new Set(calls.flatMap(({ ids }) => ids))
    t.diagnostic(
      `${kind}: ${calls.length} calls, ${lost.length} interrupted, ${repeated} of ${told.size} events were there`,
    )
    const db = await dataDir.open()
    try {
      await verify(db, storm.business, told)
    } finally {
      await db.end()
    }
  }
})

interface Storm {
  business: Id<'business'>
  callers: ToolCaller[]
}

async function prepare(dataDir: DataDir, service: ServiceProcess): Promise<Storm> {
  const db = await dataDir.open()
  try {
    const business = await newBusiness(db)
    const grant = await newGrant(db, { businesses: [business] })
    const config = readConfig({ PORT: String(service.port), DATA_DIR: dataDir.path })
    const vault = await openVault(db, installationSecret(dataDir.path), new Date())
    const mint = tokenMint({ db, config, vault })
    // Made before the storm, during which there is no database to make them with.
    const tokens = await Promise.all(Array.from({ length: clientCount * 4 }, () => mint(grant)))
    const endpoint = `${service.origin}/api/functions/svc-mcp`
    const callers = Array.from({ length: clientCount }, () =>
      toolCaller(endpoint, () => Promise.resolve(tokens.pop() ?? '')),
    )
    const contacts = Array.from({ length: people }, (_, n) => ({ email: `p${n}@example.com` }))
    await callers[0]?.get('contact.import', { contacts })
    return { business, callers }
  } finally {
    await db.end()
  }
}

interface Rage {
  caller: ToolCaller
  calls: Call[]
  random: Random
}

let drawn = 0

/** Sends new events, sometimes repeats sent ones, and repeats an unanswered call. */
async function rage({ caller, calls, random }: Rage, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const earlier = calls.length > 0 ? calls[random.whole(0, calls.length - 1)] : undefined
    const call = newCall(earlier && random.whole(0, 2) === 0 ? earlier.ids.slice(0, 100) : [])
    calls.push(call)
    while (call.answers === 0 && !signal.aborted) {
      try {
        await tell(caller, call)
      } catch {
        call.failures += 1
        await sleep(100)
      }
    }
  }
}

function newCall(repeated: readonly string[]): Call {
  const first = drawn
  drawn += eventsPerCall
  const ids = Array.from({ length: eventsPerCall }, (_, n) => repeated[n] ?? `A-${first + n}`)
  const events = ids.map((id, n) => ({
    contact: { email: `p${n % people}@example.com` },
    event: 'order',
    id,
    value: n,
    currency: 'EUR',
  }))
  return { events, ids, answers: 0, failures: 0 }
}

async function tell(caller: ToolCaller, call: Call): Promise<Answer> {
  const answer = await caller.get<Answer>('contact.track', { events: call.events })
  call.answers += 1
  return answer
}

/** Asserts that each event is stored once and announced once. */
async function verify(
  db: Database,
  business: Id<'business'>,
  told: ReadonlySet<string>,
): Promise<void> {
  const rows = await db.all<{ id: string }>(sql`
    select body::json -> 'data' ->> 'event_id' as id from events
    where business_id = ${business} and type = 'contact.event'
  `)
  const announced = rows.map(({ id }) => id)
  assert.equal(announced.length, told.size)
  assert.deepEqual(new Set(announced), told)
  const { n } = await db.one<{ n: number }>(sql`
    select count(*) as n from own_events where business_id = ${business}
  `)
  assert.equal(n, told.size)
}
