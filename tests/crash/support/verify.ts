/**
 * After the crash every acknowledged write exists, and each request in flight happened completely
 * or not at all, at most once.
 */

import assert from 'node:assert/strict'
import { sha256 } from '../../../server/src/lib/crypto/vault.ts'
import { sql } from '../../../server/src/lib/db/db.ts'
import type { Database, Db } from '../../../server/src/lib/db/types.ts'
import { type Chain, type Ledger, newChain, rotated } from './ledger.ts'
import { type Code, exchange, refresh } from './oauth-client.ts'
import type { StormTarget } from './storm.ts'

export interface Verdict {
  clients: number
  chains: number
  /** Writes that were made although the answer was lost: the client must authorize again. */
  lostAnswers: number
  /** Unanswered writes that were not made: the client's next attempt succeeded. */
  notMade: number
}

const atOnce = 8

export async function verify(ledger: Ledger, target: StormTarget, db: Database): Promise<Verdict> {
  const verdict = { clients: 0, chains: 0, lostAnswers: 0, notMade: 0 }
  await crowd(ledger.clients, async (id) => {
    // The service looks the client up before it calls the token unknown.
    const outcome = await refresh(target.origin, id, 'rt_never_issued')
    const code = outcome.kind === 'refused' ? outcome.code : outcome.kind
    assert.equal(code, 'invalid_grant', `an acknowledged client is not known: ${id}`)
    verdict.clients++
  })
  await crowd(ledger.chains, async (chain) => {
    const doubtful = chain.doubtful
    const lost = await chainLost(chain, target, db)
    verdict.chains++
    if (lost) verdict.lostAnswers++
    else if (doubtful) verdict.notMade++
  })
  await crowd(ledger.doubtfulCodes, async (code) => {
    const chain = await codeLost(code, target, db)
    if (chain) ledger.chains.push(chain)
    verdict[chain ? 'notMade' : 'lostAnswers']++
  })
  ledger.clients = []
  ledger.doubtfulCodes = []
  ledger.chains = ledger.chains.filter((chain) => !chain.doubtful)
  return verdict
}

/** True if the chain was rotated without an answer: nobody holds its one successor. */
async function chainLost(chain: Chain, target: StormTarget, db: Database): Promise<boolean> {
  const held = sha256(chain.token)
  const outcome = await refresh(target.origin, target.clientId, chain.token)
  if (outcome.kind === 'acknowledged') {
    rotated(chain, outcome.answer['refresh_token'])
    await assertLinks(db, sha256(chain.token), { all: chain.rotations + 1, live: 1 })
    return false
  }
  const said = outcome.kind === 'refused' ? outcome.code : outcome.kind
  assert.ok(chain.doubtful, `an acknowledged refresh token does not work: ${said}`)
  assert.equal(said, 'invalid_grant')
  await assertLinks(db, held, { all: chain.rotations + 2, live: 1 })
  return true
}

/** Exchanges the code; returns its chain, or undefined if the code's answer was lost. */
async function codeLost(code: Code, target: StormTarget, db: Database): Promise<Chain | undefined> {
  const outcome = await exchange(target.origin, target.clientId, code)
  if (outcome.kind === 'acknowledged') return newChain(outcome.answer['refresh_token'])
  assert.deepEqual(outcome, { kind: 'refused', code: 'invalid_grant' })
  const made = await db.one<{ used: boolean; tokens: number }>(sql`
    select used_at is not null as used,
      (select count(*) from refresh_tokens t where t.connection_id = c.connection_id) as tokens
    from authorization_codes c where hash = ${sha256(code.code)}
  `)
  assert.deepEqual(made, { used: true, tokens: 1 }, 'a code was spent by halves')
  return undefined
}

/** Asserts the number of tokens in the chain of this one, and of those still usable. */
async function assertLinks(
  db: Database,
  hash: Buffer,
  expected: { all: number; live: number },
): Promise<void> {
  const links = await db.one(sql`
    select count(*) as all, count(*) filter (where rotated_at is null) as live
    from refresh_tokens
    where connection_id = (select connection_id from refresh_tokens where hash = ${hash})
  `)
  assert.deepEqual(links, expected, 'a chain has not the links that its answers told of')
}

async function crowd<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Asserts the durability settings of the running database, on which acknowledgements depend. */
export async function assertDurable(db: Db): Promise<void> {
  const row = await db.one(sql`
    select current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit
  `)
  assert.deepEqual(row, { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' })
}
