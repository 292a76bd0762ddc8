/** Sender domains with a real DNS server and a manual clock. */

import { randomUUID } from 'node:crypto'
import type { Id } from 'crier-server/core/ids.ts'
import type { Operation, Tier } from 'crier-server/core/operation.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'
import { createResolver } from 'crier-server/lib/dns/resolver.ts'
import type { Job } from 'crier-server/lib/jobs/job.ts'
import { checkJobKind } from 'crier-server/sender-domains/model/check-job.ts'
import type { DomainSettings } from 'crier-server/sender-domains/model/domain.ts'
import type { DomainFacility } from 'crier-server/sender-domains/model/facility.ts'
import { domainAdd } from 'crier-server/sender-domains/operations/add.ts'
import { domainRemove } from 'crier-server/sender-domains/operations/remove.ts'
import { domainStatus } from 'crier-server/sender-domains/operations/status.ts'
import type { DomainView } from 'crier-server/sender-domains/operations/view.ts'
import { domainJobs } from 'crier-server/sender-domains/verification/jobs.ts'
import { type Caller, callerIn, testVault } from '../clients/calls.ts'
import { type Bind, startBind } from '../network/bind.ts'
import { type TestDatabase, testDatabase } from '../postgres/database.ts'
import { ManualClock } from '../time/manual-clock.ts'
import { newBusiness } from './business.ts'

export const testSettings: DomainSettings = {
  zone: undefined,
  bounceHost: 'bounce.operator.test',
  spf: 'include:spf.operator.test',
  trackingHost: 'api.operator.test',
  ed25519: false,
  gate: 'strict',
  mailFrom: 'crier@operator.test',
  ownReturnPath: true,
  providers: [],
}

export interface DomainBench {
  database: TestDatabase
  bind: Bind
  clock: ManualClock
  facility: DomainFacility
  tools: Record<'add' | 'status' | 'remove', Operation>
  newOwner(tier?: Tier): Promise<{ id: Id<'business'>; caller: Caller }>
  statusOf(caller: Caller, domain: string, check?: boolean): Promise<DomainView>
  /** Adds the domain, sets all its records and waits until it is verified. */
  verified(caller: Caller, domain: string): Promise<DomainView>
  /** Advances the clock to the next check and runs it; returns the number of checks. */
  nextChecks(): Promise<number>
  /** Runs the checks that are due now. */
  runChecks(): Promise<number>
  close(): Promise<void>
}

export async function domainBench(settings: Partial<DomainSettings> = {}): Promise<DomainBench> {
  const database = await testDatabase()
  const bind = await startBind(['shop.test', 'other.test', 'operator.test'])
  const clock = new ManualClock()
  const { db } = database
  const facility: DomainFacility = {
    resolver: createResolver({ servers: [bind.server] }),
    vault: testVault,
    settings: { ...testSettings, ...settings },
  }
  const kind = domainJobs({ ...facility, db, clock })[checkJobKind]
  const bench: DomainBench = {
    database,
    bind,
    clock,
    facility,
    tools: {
      add: domainAdd(facility),
      status: domainStatus(facility),
      remove: domainRemove(facility),
    },
    async newOwner(tier) {
      const id = await newBusiness(db, tier)
      return { id, caller: callerIn({ db, clock }, id, { isApiKey: true, ...(tier && { tier }) }) }
    },
    async statusOf(caller, domain, check = false) {
      const input = { domain, check }
      const { domains } = await caller.get<{ domains: DomainView[] }>(bench.tools.status, input)
      const [view] = domains
      if (!view) throw new Error(`${domain} has no status`)
      return view
    },
    async verified(caller, domain) {
      const added = await caller.get<DomainView>(bench.tools.add, { domain })
      await bind.update(...publishing(added.records))
      // Checks of other domains may be due in between.
      for (let i = 0; i < 50; i++) {
        await bench.nextChecks()
        const view = await bench.statusOf(caller, domain)
        if (view.status === 'verified') return view
      }
      throw new Error(`${domain} was not verified`)
    },
    async nextChecks() {
      const due = await firstDue(db)
      clock.forward(Math.max(0, due.getTime() - clock.now().getTime()))
      return bench.runChecks()
    },
    async runChecks() {
      const jobs = await claimChecks(db, clock.now())
      for (const job of jobs) {
        const verdict = await kind?.run(job, new AbortController().signal)
        if (verdict?.outcome === 'done') await db.run(sql`delete from jobs where id = ${job.id}`)
      }
      return jobs.length
    },
    async close() {
      await bind.stop()
      await database.drop()
    },
  }
  return bench
}

async function firstDue(db: Db): Promise<Date> {
  const { due } = await db.one<{ due: Date | null }>(
    sql`select min(due_at) as due from jobs where kind = ${checkJobKind} and lease is null`,
  )
  if (!due) throw new Error('no check waits')
  return due
}

/** Claims all due checks, as a worker would. */
function claimChecks(db: Db, now: Date): Promise<Job[]> {
  const lease = randomUUID()
  return db.all<Job>(sql`
    update jobs set lease = ${lease}
    where kind = ${checkJobKind} and lease is null and due_at <= ${now}
    returning shard, id, kind, lane as "laneId", payload, due_at as "dueAt",
      attempt + 1 as attempt, lease
  `)
}

/** The `nsupdate` commands that publish these records, with TXT values split as DNS panels do. */
export function publishing(records: DomainView['records'], ttl = 600): string[] {
  return records.map(({ type, name, value }) => {
    const strings = value.match(/.{1,255}/g) ?? []
    const data = type === 'TXT' ? strings.map((string) => `"${string}"`).join(' ') : value
    return `add ${name} ${ttl} ${type} ${data}${type === 'TXT' ? '' : '.'}`
  })
}
