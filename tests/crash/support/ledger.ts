/** The writes that the service acknowledged, and the requests without an answer. */
import type { Code } from './oauth-client.ts'

export interface Chain {
  /** The refresh token from the last answer. */
  token: string
  /** The number of answers with a new token. */
  rotations: number
  /** A refresh with `token` was sent and got no answer. */
  doubtful: boolean
}

export interface Ledger {
  /** Acknowledged client ids, in order. */
  clients: string[]
  chains: Chain[]
  /** Codes whose exchange was sent and got no answer. */
  doubtfulCodes: Code[]
  codes: Code[]
  counts: Counts
}

export interface Counts {
  registrations: number
  refreshes: number
  exchanges: number
  /** Requests that got no answer because of a kill. */
  unanswered: number
}

export function newLedger(): Ledger {
  const counts = { registrations: 0, refreshes: 0, exchanges: 0, unanswered: 0 }
  return { clients: [], chains: [], doubtfulCodes: [], codes: [], counts }
}

export function newChain(token: unknown): Chain {
  if (typeof token !== 'string' || !token.startsWith('rt_')) {
    throw new Error(`an answer brought no refresh token: ${String(token)}`)
  }
  return { token, rotations: 0, doubtful: false }
}

export function rotated(chain: Chain, token: unknown): void {
  const { token: next } = newChain(token)
  if (next === chain.token) throw new Error('a refresh brought the token it was sent')
  chain.token = next
  chain.rotations++
  chain.doubtful = false
}
