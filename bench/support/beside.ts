/** Callers who change and read contacts over HTTP, one call after the other, beside some work. */
import { setTimeout as sleep } from 'node:timers/promises'
import { formatId, type Id } from '../../server/src/core/ids.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import { answerOf, callBody, sendCall } from '../writes/support/call-tool.ts'
import { mintTokens, settle } from './population.ts'
import type { BenchTestbed } from './testbed.ts'

export interface Callers {
  testbed: BenchTestbed
  tokens: string[]
  /** One of each token. */
  businesses: Id<'business'>[]
  /** How many contacts their calls are spread over. */
  contacts: number
}

/** Each with a business of their own. */
export async function openCallers(
  testbed: BenchTestbed,
  { count, contacts }: { count: number; contacts: number },
): Promise<Callers> {
  const population = await settle(testbed.db, count)
  const businesses = population.connected.flatMap(({ businesses: [first] }) => first?.id ?? [])
  await testbed.db.run(sql`update connections set scopes = '{audience:read,audience:write}'`)
  const tokens = await mintTokens(testbed, population, ['audience:read', 'audience:write'])
  return { testbed, tokens, businesses, contacts }
}

export interface Calls {
  seconds: number
  calls: number
  /** Milliseconds. */
  longest: number
  p99: number
}

/** Calls go on while `work` lasts; a call that begins meanwhile is counted to its end. */
export async function callsBeside(
  { testbed, tokens, businesses, contacts }: Callers,
  work: () => Promise<unknown>,
): Promise<Calls> {
  const times: number[] = []
  let isOver = false
  const caller = async (businessId: Id<'business'>, n: number) => {
    const business_id = formatId('business', businessId)
    for (let i = 0; !isOver; i += 1) {
      const email = `person-${(n * 7_919 + i * 131) % contacts}@example.com`
      const body =
        i % 2 === 0
          ? callBody('contact.upsert', { business_id, email, name: `Name ${i}` })
          : callBody('contact.list', { business_id, limit: 20 })
      const began = performance.now()
      answerOf(await sendCall(testbed, tokens[n] ?? '', body))
      times.push(performance.now() - began)
      // Of the 600 calls a minute that a token has.
      await sleep(60_000 / 560)
    }
  }
  const calling = businesses.map(caller)
  const began = performance.now()
  try {
    await work()
  } finally {
    isOver = true
  }
  const seconds = (performance.now() - began) / 1_000
  await Promise.all(calling)
  const sorted = times.toSorted((a, b) => a - b)
  return {
    seconds,
    calls: times.length,
    longest: sorted.at(-1) ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  }
}
