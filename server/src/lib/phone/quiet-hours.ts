/**
 * When marketing may be sent by SMS: from 09:00 to 20:00 on the recipient's clock. Pure: it depends
 * on the number, the zone where it is known, and the moment.
 */
import { days, later, minutes } from '../time/clock.ts'
import { zonesOfNumber } from './phone-zones.ts'

const opensAt = 9 * 60
const closesAt = 20 * 60
const dayMinutes = 24 * 60

/**
 * Offsets of today's zones are whole quarters of an hour (Nepal +05:45, Eucla +08:45), as are the
 * hours above. So within a quarter of UTC no zone opens or closes.
 */
const quarterMs = minutes(15)

/** How many quarters before an hour the search for it begins: clocks change by 2 h at most. */
const clockJump = 12

/** Zones that are never open together are checked again each day: the contact may get a zone. */
const askedAgainMs = days(1)

/**
 * The first moment from `now` at which a text may be sent; undefined where that is now. If the
 * contact's zone is not known, it is the first moment that is allowed in every zone that the number
 * could be in. If there is no such moment, it is a day later, when the caller asks again: the text
 * is held and never excluded.
 *
 * @param number E.164.
 * @param zone The contact's own, as IANA names it; an unknown name counts as no zone.
 */
export function quietUntil(number: string, zone: string | undefined, now: Date): Date | undefined {
  const hasZone = zone !== undefined && isZone(zone)
  const zones = hasZone ? [zone] : zonesOfNumber(number)
  const quarter = Math.floor(now.getTime() / quarterMs)
  const open = zones.length === 0 ? undefined : openQuarter(zones, quarter)
  if (open === quarter) return undefined
  return open === undefined ? later(now, askedAgainMs) : new Date(open * quarterMs)
}

/** Whether this machine knows a zone of this name. */
export function isZone(name: string): boolean {
  return clockOf(name) !== undefined
}

let answers = new Map<string, number | undefined>()
let answeredFor = 0

/** Called for each recipient of a campaign, so results are cached while the quarter lasts. */
function openQuarter(zones: readonly string[], from: number): number | undefined {
  if (from !== answeredFor) {
    answers = new Map()
    answeredFor = from
  }
  const key = zones.join(' ')
  if (!answers.has(key)) answers.set(key, search(zones, from))
  return answers.get(key)
}

/** The first quarter in which all zones are open. Each step waits at least for the last to open. */
function search(zones: readonly string[], from: number): number | undefined {
  const last = from + (2 * dayMinutes) / 15
  for (let quarter = from; quarter <= last; ) {
    const next = Math.max(...zones.map((zone) => nextOpen(zone, quarter)))
    if (next === quarter) return quarter
    quarter = next
  }
  return undefined
}

function nextOpen(zone: string, from: number): number {
  const now = minuteOfDay(zone, from)
  if (isOpen(now)) return from
  const wait = ((opensAt - now + dayMinutes) % dayMinutes) / 15
  let quarter = from + Math.max(1, wait - clockJump)
  while (!isOpen(minuteOfDay(zone, quarter))) quarter++
  return quarter
}

const isOpen = (minute: number) => minute >= opensAt && minute < closesAt

function minuteOfDay(zone: string, quarter: number): number {
  const [hour = '', minute = ''] = (clockOf(zone)?.format(quarter * quarterMs) ?? '').split(':')
  return Number(hour) * 60 + Number(minute)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** There are about 420 zones. Names in other spellings must not accumulate. */
const mostClocks = 600

function clockOf(zone: string): Intl.DateTimeFormat | undefined {
  const cached = clocks.get(zone)
  if (cached) return cached
  // ECMA-402 also accepts offsets such as +02:00, which have no summer time.
  if (!/^[a-z]/i.test(zone)) return undefined
  if (clocks.size >= mostClocks) clocks.clear()
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    clocks.set(zone, format)
    return format
  } catch {
    return undefined
  }
}
