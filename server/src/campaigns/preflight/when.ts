/** The time at which a campaign is sent, as callers write it. */

import { limits } from '../../config.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { readSendAt } from '../../core/send-at.ts'
import { Type } from '../../lib/schema/schema.ts'
import { hours, later } from '../../lib/time/clock.ts'
import { momentAt, wallTimeForm } from '../../lib/time/wall-clock.ts'
import type { ZoneMode } from '../campaign.ts'

export const whenInput = {
  send_at: Type.Optional(
    Type.String({
      maxLength: 40,
      description: `ISO 8601; without a zone in the business's. To ${limits.sendAheadDays} days ahead.`,
    }),
  ),
  zone: Type.Optional(
    Type.Enum(['business', 'recipient'], { description: 'recipient: on their own clocks.' }),
  ),
}

export interface Schedule {
  sendAt: Date | null
  sendLocal: string | null
  zoneMode: ZoneMode
}

/** How far the earliest time zone on Earth is ahead of UTC. */
const firstZone = hours(14)

/**
 * Without a time it is sent at once. A time on the recipients' clocks is judged on those of the
 * business: where clocks are ahead of it the hour may be over, and those recipients get it first.
 */
export function readWhen(
  { send_at, zone = 'business' }: { send_at?: string; zone?: ZoneMode },
  { timeZone, now }: { timeZone: string; now: Date },
): Schedule {
  if (send_at === undefined) {
    if (zone === 'business') return { sendAt: null, sendLocal: null, zoneMode: zone }
    throw wrong('zone', 'zone needs send_at, such as 2026-11-30T09:00.')
  }
  if (zone === 'recipient' && !wallTimeForm.test(send_at)) {
    const text = 'On the recipients’ clocks send_at has no zone: 2026-11-30T09:00.'
    throw wrong('send_at', text)
  }
  const moment = readSendAt(send_at, { now, timeZone, daysAhead: limits.sendAheadDays })
  if (zone === 'business') {
    return { sendAt: moment > now ? moment : null, sendLocal: null, zoneMode: zone }
  }
  const inUtc = momentAt(send_at, 'UTC')
  const first = inUtc && later(inUtc, -firstZone)
  return { sendAt: first && first > now ? first : null, sendLocal: send_at, zoneMode: zone }
}

function wrong(field: string, text: string): Refusal {
  return refuse('invalid_request', text, { field, data: { reason: 'no_moment' } })
}
