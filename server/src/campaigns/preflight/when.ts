/** The time at which a campaign is sent, as callers write it. */

import { limits } from '../../config.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { Type } from '../../lib/schema/schema.ts'
import { days, hours, later } from '../../lib/time/clock.ts'
import { momentAt, wallTimeForm } from '../../lib/time/wall-clock.ts'
import type { ZoneMode } from '../model/campaign.ts'

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

/** RFC 3339 with an offset, so that no time zone has to be guessed. */
const momentForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i

/** How far the earliest time zone on Earth is ahead of UTC. */
const firstZone = hours(14)

/** A time in the past means now. */
export function readWhen(
  { send_at, zone = 'business' }: { send_at?: string; zone?: ZoneMode },
  { timeZone, now }: { timeZone: string; now: Date },
): Schedule | Refusal {
  if (send_at === undefined) {
    if (zone === 'business') return { sendAt: null, sendLocal: null, zoneMode: zone }
    return wrong('zone', 'zone is for an hour: give send_at too, such as 2026-11-30T09:00.')
  }
  const isWall = wallTimeForm.test(send_at)
  if (zone === 'recipient' && !isWall) {
    const text = 'On the recipients’ clocks send_at has no zone: 2026-11-30T09:00.'
    return wrong('send_at', text)
  }
  const moment = isWall ? momentAt(send_at, zone === 'business' ? timeZone : 'UTC') : at(send_at)
  if (!moment) {
    return wrong('send_at', 'send_at takes a moment, such as 2026-11-30T09:00:00+01:00.')
  }
  const sendAt = zone === 'recipient' ? later(moment, -firstZone) : moment
  if (sendAt > later(now, days(limits.sendAheadDays))) {
    return wrong('send_at', `send_at lies at most ${limits.sendAheadDays} days ahead.`)
  }
  return {
    sendAt: sendAt > now ? sendAt : null,
    sendLocal: zone === 'recipient' ? send_at : null,
    zoneMode: zone,
  }
}

function at(text: string): Date | undefined {
  const moment = new Date(text)
  return momentForm.test(text) && !Number.isNaN(moment.getTime()) ? moment : undefined
}

function wrong(field: string, text: string): Refusal {
  return refuse('invalid_request', text, { field })
}
