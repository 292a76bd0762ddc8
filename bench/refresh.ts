/** Refresh grants, durable, compared with the bare statement that each of them runs. */

import { sha256 } from '../server/src/lib/crypto/vault.ts'
import { sql } from '../server/src/lib/db/db.ts'
import type { Database } from '../server/src/lib/db/types.ts'
import { newRefreshToken } from '../server/src/oauth/model/grant.ts'
import { rotateRefreshToken } from '../server/src/oauth/token/refresh-queries.ts'
import { connections, type Driver, startDriver } from './load/drive.ts'
import { type Bench, median, number } from './support/bench.ts'
import { issueRefreshTokens, type Population, settle } from './support/population.ts'
import { sizes } from './support/sizes.ts'
import { type BenchTestbed, openTestbed } from './support/testbed.ts'

const { rounds, seconds, warmUpSeconds } = sizes.refresh
/** More than any chain reaches, since the bench measures the rotation. */
const refreshesPerHour = 1_000_000

export const refresh: Bench = {
  name: 'refresh',
  title: 'Refresh grants, 64 chains at once',
  method: `Each connection refreshes its own chain with the token of its last answer; fsync, full_page_writes and synchronous_commit are on. Beside it the same single statement (rotate and insert the successor) in a loop of 64, on the same server with as many database connections as the service has. ${rounds} alternating rounds of ${seconds} s; medians.`,

  async run(tell) {
    const testbed = await openTestbed({ REFRESHES_PER_CONNECTION: String(refreshesPerHour) })
    try {
      const population = await settle(testbed.db, connections * 2)
      const grants = await startGrants(testbed, population)
      try {
        const all: { grants: number; statements: number; p50: number; p99: number }[] = []
        const loop = await statementLoop(testbed.db, population)
        await grants.run({ seconds: warmUpSeconds })
        await loop(warmUpSeconds)
        for (let i = 1; i <= rounds; i++) {
          const load = await grants.run({ seconds })
          const { perSecond, p50, p99 } = load
          const statements = await loop(seconds)
          all.push({ grants: perSecond, statements, p50, p99 })
          tell(`round ${i} of ${rounds}: ${number(perSecond)} grants/s, ${number(statements)} bare`)
        }
        await assertKept(testbed.db)
        const of = (what: keyof (typeof all)[number]) => median(all.map((round) => round[what]))
        return [
          { name: 'refresh grants a second', value: number(of('grants')) },
          { name: 'bare statements a second', value: number(of('statements')) },
          {
            name: 'share of the bare statement',
            value: number(median(all.map((round) => round.grants / round.statements))),
          },
          {
            name: 'p50, p99 of a grant',
            value: `${number(of('p50'))} ms, ${number(of('p99'))} ms`,
          },
        ]
      } finally {
        await grants.stop()
      }
    } finally {
      await testbed.close()
    }
  },
}

async function startGrants(testbed: BenchTestbed, population: Population): Promise<Driver> {
  const tokens = await issueRefreshTokens(testbed.db, population.connected.slice(0, connections))
  const path = '/functions/v1/mcp-oauth'
  const source = { kind: 'chains' as const, path, clientId: population.clientId, tokens }
  return startDriver({ port: testbed.service.port, source })
}

/** Returns statements per second over this many seconds. */
async function statementLoop(
  db: Database,
  { clientId, connected }: Population,
): Promise<(seconds: number) => Promise<number>> {
  const hashes = (await issueRefreshTokens(db, connected.slice(connections))).map(sha256)
  return async (seconds) => {
    const started = performance.now()
    const until = started + seconds * 1000
    let done = 0
    const chain = async (i: number) => {
      while (performance.now() < until) {
        const now = new Date()
        const successor = newRefreshToken(now)
        const hash = hashes[i] as Buffer
        const limit = { refreshes: refreshesPerHour, since: new Date(now.getTime() - 3_600_000) }
        const grant = await rotateRefreshToken(db, { hash, clientId, successor, limit, now })
        if (!grant) throw new Error('a chain broke')
        hashes[i] = successor.hash
        done++
      }
    }
    await Promise.all(hashes.map((_, i) => chain(i)))
    return (done * 1000) / (performance.now() - started)
  }
}

/** Every chain has one live end: each token that was returned was also stored. */
async function assertKept(db: Database): Promise<void> {
  const broken = await db.all(sql`
    select connection_id from refresh_tokens group by connection_id
    having count(*) filter (where rotated_at is null) <> 1
  `)
  if (broken.length > 0) throw new Error(`${broken.length} chains have not one living end`)
}
