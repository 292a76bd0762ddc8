/**
 * The warm-up of a sender domain as its owner sees it: what each provider gets of its marketing today,
 * for how many days that is limited, and what holds it.
 */

import type { Db } from '../../lib/db/types.ts'
import { type Clock, days, later } from '../../lib/time/clock.ts'
import type {
  RefusingProvidersOf,
  WarmUpLine,
  WarmUpOf,
} from '../../sender-domains/model/warm-up.ts'
import { startOfNextDay, warmUpDayOf, warmUpDays } from '../throttle/stream.ts'
import { findFirstDay, listMarketingStreams, listRefused } from '../throttle/stream-queries.ts'
import type { Relays } from './relays.ts'

/** The most providers shown, those with the most mail of today first. */
const mostProviders = 20

export function createWarmUpOf({
  db,
  clock,
  relays,
}: {
  db: Db
  clock: Clock
  relays: Pick<Relays, 'relaysOf'>
}): WarmUpOf {
  return async (businessId, domain) => {
    const [relay] = await relays.relaysOf(businessId, 'marketing')
    if (!relay?.transport.warmUp) return undefined
    const now = clock.now()
    const { route } = relay.transport
    const rows = await listMarketingStreams(db, { route, domain }, { now, limit: mostProviders })
    const providers = rows.map(({ provider, firstDay, sentToday, pausedUntil }): WarmUpLine => {
      const { allowance, daysLeft } = warmUpDayOf(firstDay, now)
      const isUsedUp = allowance !== undefined && sentToday >= allowance
      const hold =
        pausedUntil && pausedUntil > now
          ? ({ by: 'refusals', until: pausedUntil } as const)
          : isUsedUp && ({ by: 'allowance', until: startOfNextDay(now) } as const)
      return {
        provider,
        today: allowance ?? null,
        sentToday,
        daysLeft,
        ...(hold && { held: hold }),
      }
    })
    const first = await findFirstDay(db, { route, domain }, now)
    const { allowance, daysLeft } = warmUpDayOf(first, now)
    return { days: warmUpDays, providers, newProvider: { today: allowance ?? null, daysLeft } }
  }
}

/** For how long the owner of a domain is told what a provider found missing. */
const toldFor = days(1)

/** The providers that found something missing at a domain, over every route. */
export function createRefusingProvidersOf({
  db,
  clock,
}: {
  db: Db
  clock: Clock
}): RefusingProvidersOf {
  return async (domain) => {
    const now = clock.now()
    const rows = await listRefused(db, domain, {
      since: later(now, -toldFor),
      limit: mostProviders,
    })
    return rows.map(({ missingAt, pausedUntil, ...row }) => ({
      ...row,
      at: missingAt,
      heldUntil: pausedUntil && pausedUntil > now ? pausedUntil : undefined,
    }))
  }
}
