/**
 * Many clients at once: chains of refreshes, registrations, exchanges of codes. Each one stops at
 * its first unanswered request, because the ledger then holds a doubt.
 */
import { type Ledger, newChain, rotated } from './ledger.ts'
import { exchange, refresh, register } from './oauth-client.ts'

export interface StormTarget {
  origin: string
  clientId: string
}

const refreshers = 8
const registrars = 4
const exchangers = 4

/** Adds chains, with codes of the ledger, until there is one for each refresher. */
export async function topUpChains(ledger: Ledger, target: StormTarget): Promise<void> {
  const step = exchanging(ledger)
  while (ledger.chains.length < refreshers) {
    if (!(await step(target))) throw new Error('a code was not exchanged in peace')
  }
}

/** Runs until every client has stopped, by an unanswered request or by the signal. */
export async function storm(
  ledger: Ledger,
  target: StormTarget,
  signal: AbortSignal,
): Promise<void> {
  // The chains with the fewest rotations go first, so that all take part in the end.
  const chains = ledger.chains.toSorted((a, b) => a.rotations - b.rotations).slice(0, refreshers)
  const clients = [
    ...chains.map((chain) => refreshing(ledger, chain)),
    ...Array.from({ length: registrars }, () => registering(ledger)),
    ...Array.from({ length: exchangers }, () => exchanging(ledger)),
  ]
  await Promise.all(
    clients.map(async (step) => {
      while (!signal.aborted && (await step(target)));
    }),
  )
}

/** One request and its entry in the ledger; false if the client cannot go on. */
type Step = (target: StormTarget) => Promise<boolean>

function refreshing(ledger: Ledger, chain: Ledger['chains'][number]): Step {
  return async ({ origin, clientId }) => {
    const outcome = await refresh(origin, clientId, chain.token)
    if (outcome.kind === 'refused') throw new Error(`a live chain was refused: ${outcome.code}`)
    if (outcome.kind === 'unanswered') {
      chain.doubtful = true
      ledger.counts.unanswered++
      return false
    }
    rotated(chain, outcome.answer['refresh_token'])
    ledger.counts.refreshes++
    return true
  }
}

function registering(ledger: Ledger): Step {
  return async ({ origin }) => {
    const outcome = await register(origin, 'Storm')
    if (outcome.kind === 'refused') throw new Error(`a registration was refused: ${outcome.code}`)
    if (outcome.kind === 'unanswered') {
      ledger.counts.unanswered++
      return false
    }
    const id = outcome.answer['client_id']
    if (typeof id !== 'string') throw new Error('a registration was answered without a client_id')
    ledger.clients.push(id)
    ledger.counts.registrations++
    return true
  }
}

function exchanging(ledger: Ledger): Step {
  return async ({ origin, clientId }) => {
    const code = ledger.codes.pop()
    if (!code) return false
    const outcome = await exchange(origin, clientId, code)
    if (outcome.kind === 'refused') throw new Error(`a fresh code was refused: ${outcome.code}`)
    if (outcome.kind === 'unanswered') {
      ledger.doubtfulCodes.push(code)
      ledger.counts.unanswered++
      return false
    }
    ledger.chains.push(newChain(outcome.answer['refresh_token']))
    ledger.counts.exchanges++
    return true
  }
}
