/**
 * Storm, kill, recovery, verification, repeatedly on one DATA_DIR, so that each crash leaves its
 * traces for the next. The seed decides kinds and moments; how requests interleave with them
 * depends on the machine.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../../server/src/lib/db/types.ts'
import { freePort } from '../../../support/network/port.ts'
import { backWithin, comeBack } from '../come-back.ts'
import { type DataDir, migratedDataDir } from '../data-dir.ts'
import { type Kind, kinds, strike } from '../kill.ts'
import { type Counts, type Ledger, newLedger } from '../ledger.ts'
import { type Random, seededRandom } from '../random.ts'
import { type Grantor, seedCodes, seedGrantor } from '../seed.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { storm, topUpChains } from '../storm.ts'
import { assertDurable, type Verdict, verify } from '../verify.ts'

export interface CrashLoopOptions {
  kills: number
  seed: number
  /** Called after each kill that the service survived. */
  onKill?: (done: number, report: KillReport) => void
}

export interface KillReport extends Verdict, Counts {
  kind: Kind
  /** Milliseconds from the kill until the service was ready again, without intervention. */
  backAfter: number
}

const keptChains = 64
const codesPerStorm = 1_500
const leastPerStorm = 12

export async function crashLoop(options: CrashLoopOptions): Promise<KillReport[]> {
  const random = seededRandom(options.seed)
  const dataDir = await migratedDataDir()
  const testbed = await Testbed.open(dataDir, random)
  try {
    const reports: KillReport[] = []
    for (const kind of kindsFor(options.kills, random)) {
      reports.push(await testbed.crash(kind))
      options.onKill?.(reports.length, reports.at(-1) as KillReport)
    }
    return reports
  } finally {
    await testbed.close()
    await dataDir.remove()
  }
}

/** Every kind about equally often, in a random order. */
function kindsFor(count: number, random: Random): Kind[] {
  const rounds = Array.from({ length: Math.ceil(count / kinds.length) }, () => kinds)
  return rounds.flatMap((round) => random.shuffled(round)).slice(0, count)
}

class Testbed {
  readonly #dataDir: DataDir
  readonly #random: Random
  readonly #grantor: Grantor
  #service: ServiceProcess
  #ledger: Ledger = newLedger()

  private constructor(
    service: ServiceProcess,
    dataDir: DataDir,
    parts: { random: Random; grantor: Grantor },
  ) {
    this.#service = service
    this.#dataDir = dataDir
    this.#random = parts.random
    this.#grantor = parts.grantor
  }

  static async open(dataDir: DataDir, random: Random): Promise<Testbed> {
    const service = await start(dataDir, await freePort())
    const grantor = await withDatabase(dataDir, (db) => seedGrantor(db, new Date()))
    return new Testbed(service, dataDir, { random, grantor })
  }

  async crash(kind: Kind): Promise<KillReport> {
    const ledger = this.#ledger
    ledger.counts = newLedger().counts
    ledger.codes = await withDatabase(this.#dataDir, async (db) => {
      await assertDurable(db)
      return seedCodes(db, this.#grantor, codesPerStorm, new Date())
    })
    const target = { origin: this.#service.origin, clientId: this.#grantor.clientId }
    await topUpChains(ledger, target)
    const calm = new AbortController()
    const raging = storm(ledger, target, calm.signal)
    await Promise.race([raging, sleep(this.#random.whole(100, 1200))])
    await Promise.race([raging, enough(ledger)])
    const killed = performance.now()
    await strike(kind, { service: this.#service, dataDir: this.#dataDir, random: this.#random })
    const [backAfter] = await Promise.all([
      this.#comeBack(kind, killed),
      // Clients that the kill did not interrupt go on for a moment, across the outage.
      sleep(300).then(() => calm.abort()),
      raging,
    ])
    const verdict = await withDatabase(this.#dataDir, async (db) => {
      await assertDurable(db)
      return verify(ledger, target, db)
    })
    ledger.chains = this.#random.shuffled(ledger.chains).slice(0, keptChains)
    return { kind, backAfter, ...ledger.counts, ...verdict }
  }

  async #comeBack(kind: Kind, at: number): Promise<number> {
    const killed = { kind, at, service: this.#service }
    this.#service = await comeBack(killed, (port) => start(this.#dataDir, port))
    return performance.now() - at
  }

  async close(): Promise<void> {
    await this.#service.stop()
  }
}

/** However slow the machine is, the kill comes after the storm has written some of each kind. */
async function enough({ counts }: Ledger): Promise<void> {
  for (const until = performance.now() + 60_000; performance.now() < until; await sleep(10)) {
    const { registrations, refreshes, exchanges } = counts
    if (Math.min(registrations, refreshes, exchanges) >= leastPerStorm) return
  }
}

function start(dataDir: DataDir, port: number): Promise<ServiceProcess> {
  return startService({
    dataDir: dataDir.path,
    port,
    readyWithin: backWithin,
    env: { TRUST_PROXY: 'yes', REFRESHES_PER_CONNECTION: '1000000' },
  })
}

async function withDatabase<T>(dataDir: DataDir, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await dataDir.open()
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}
