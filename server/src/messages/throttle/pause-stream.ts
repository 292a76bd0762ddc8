import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { SenderRequirement } from '../../lib/email/sender-requirements.ts'
import { hours, later, minutes } from '../../lib/time/clock.ts'
import type { MessageKind } from '../message.ts'
import type { StreamKey } from './throttle.ts'

/** One mailbox may have its own rules. This many refusals are about the sender itself. */
export const refusalsToPause = 5
const within = minutes(10)
/** How long to wait before the remote server that refused a sender is tried again. */
const pauseMs = hours(1)

/** The values that identify the stream of a message. */
interface StreamOf {
  route: string | null
  senderDomain: string | null
  kind: MessageKind
  /** Null if the message was sent before providers were distinguished. */
  provider: string | null
}

/**
 * Counts that the provider refused the sender, not the recipient. If it did so several times
 * recently, messages of the same kind to the same provider wait.
 */
export async function pauseStream(
  tx: Tx,
  stream: StreamOf,
  now: Date,
  missing: readonly SenderRequirement[] = [],
): Promise<void> {
  const key = keyOf(stream)
  if (!key) return
  const rule = { limit: refusalsToPause, since: later(now, -within), until: later(now, pauseMs) }
  await countRefusal(tx, key, { ...rule, missing: missing.length > 0 ? missing : null, now })
}

interface RefusalRule {
  /** The number of refusals that pause the stream. */
  limit: number
  /** Earlier refusals do not count. */
  since: Date
  until: Date
  /** What the sender lacks by this refusal; null if it does not say. */
  missing: readonly SenderRequirement[] | null
  now: Date
}

/** A pause starts the count again. A longer pause that is set already stays. */
function countRefusal(
  tx: Tx,
  { route, domain, kind, provider }: StreamKey,
  { limit, since, until, missing, now }: RefusalRule,
): Promise<number> {
  return tx.run(sql`
    insert into send_throttles as known (route, domain, kind, provider, tokens, filled_at,
      in_flight, first_day, day, sent_that_day, refusals, refused_since, missing, missing_at)
    values (${route}, ${domain}, ${kind}, ${provider}, 0, ${now}, 1, ${now}::timestamptz::date,
      ${now}::timestamptz::date, 0, 1, ${now}, ${missing}::text[],
      case when ${missing}::text[] is not null then ${now}::timestamptz end)
    on conflict (route, domain, kind, provider) do update set
      missing = coalesce(excluded.missing, known.missing),
      missing_at = coalesce(excluded.missing_at, known.missing_at),
      refusals = case
        when known.refused_since is null or known.refused_since < ${since} then 1
        when known.refusals + 1 >= ${limit} then 0
        else known.refusals + 1 end,
      refused_since = case
        when known.refused_since is null or known.refused_since < ${since} then ${now}
        else known.refused_since end,
      paused_until = case
        when known.refused_since >= ${since} and known.refusals + 1 >= ${limit}
          then greatest(known.paused_until, ${until}::timestamptz)
        else known.paused_until end
  `)
}

/**
 * The provider itself said what the sender lacks, in its reply to a delivery. That is true of every
 * message, so the first such reply is enough. A report by mail is counted instead, because whoever
 * got a message can write one.
 */
export async function pauseUntilMended(
  tx: Tx,
  stream: StreamOf,
  missing: readonly SenderRequirement[],
  now: Date,
): Promise<void> {
  const key = keyOf(stream)
  if (key) await pauseFor(tx, key, { missing, until: later(now, pauseMs), now })
}

/** Pauses the stream at once, and notes what the sender lacks. */
function pauseFor(
  tx: Tx,
  { route, domain, kind, provider }: StreamKey,
  { missing, until, now }: { missing: readonly SenderRequirement[]; until: Date; now: Date },
): Promise<number> {
  return tx.run(sql`
    insert into send_throttles as known (route, domain, kind, provider, tokens, filled_at,
      in_flight, first_day, day, sent_that_day, paused_until, missing, missing_at)
    values (${route}, ${domain}, ${kind}, ${provider}, 0, ${now}, 1, ${now}::timestamptz::date,
      ${now}::timestamptz::date, 0, ${until}, ${[...missing]}::text[], ${now})
    on conflict (route, domain, kind, provider) do update set
      paused_until = greatest(known.paused_until, excluded.paused_until),
      missing = excluded.missing, missing_at = excluded.missing_at
  `)
}

/** A message that was never tried has no stream to pause. */
function keyOf({ route, senderDomain, kind, provider }: StreamOf): StreamKey | undefined {
  if (route === null || senderDomain === null || provider === null) return undefined
  return { route, domain: senderDomain, kind, provider }
}
