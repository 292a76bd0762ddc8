/**
 * When marketing may come by SMS: from 09:00 to 20:00 on the clock of whoever gets it.
 * Pure: the number, the zone where it is known, and the moment.
 */
import { days, later, minutes } from '../time/clock.ts'
import { zonesOfNumber } from './phone-zones.ts'

const opensAt = 9 * 60
const closesAt = 20 * 60
const dayMinutes = 24 * 60

/**
 * Offsets of today's zones are whole quarters of an hour (Nepal +05:45, Eucla +08:45), and
 * so are the hours above: within a quarter of UTC nothing opens or closes.
 */
const quarterMs = minutes(15)

/** How long before an hour on the clock it is looked for, in quarters: clocks jump 2 h at most. */
const clockJump = 12

/** Zones that are never open together are asked again each day: the contact may get a zone. */
const askedAgainMs = days(1)

/**
 * The first moment from `now` at which a text may go; undefined where that is now. Of a
 * contact whose zone is not known, that is when it is so in every zone that the number could
 * be in. Where there is no such moment it is a day later, which is to be asked again then:
 * held, never excluded.
 *
 * @param number E.164.
 * @param zone The contact's own, as IANA names it; one that there is not counts as unknown.
 */
export function quietUntil(number: string, zone: string | undefined, now: Date): Date | undefined {
  const known = zone !== undefined && isZone(zone)
  const zones = known ? [zone] : zonesOfNumber(number)
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

/** Asked for each recipient of a campaign: what was found is kept while its quarter lasts. */
function openQuarter(zones: readonly string[], from: number): number | undefined {
  if (from !== answeredFor) {
    answers = new Map()
    answeredFor = from
  }
  const key = zones.join(' ')
  if (!answers.has(key)) answers.set(key, search(zones, from))
  return answers.get(key)
}

/** The first quarter in which all are open: each must wait at least for the last to open. */
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

/** There are about 420 zones; names in other spellings must not pile up. */
const mostClocks = 600

function clockOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = clocks.get(zone)
  if (known) return known
  // ECMA-402 takes offsets such as +02:00 too, which know no summer time.
  if (!/^[a-z]/i.test(zone)) return undefined
  if (clocks.size >= mostClocks) clocks.clear()
  try {
    const made = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    clocks.set(zone, made)
    return made
  } catch {
    return undefined
  }
}
