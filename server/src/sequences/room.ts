/** Whether what a sequence would send has room: in the tier, in the sender's warm-up, under the caps. */
import { readCaps } from '../accounts/businesses/deploy-settings.ts'
import type { Finding, Gate } from '../campaigns/preflight/gates/gate.ts'
import type { Channel } from '../contacts/contact.ts'
import { shifted } from '../contacts/filters/times.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import type { BusinessContext } from '../core/operation.ts'
import { days } from '../lib/time/clock.ts'
import type { WarmUpOf } from '../sender-domains/model/warm-up.ts'
import type { Sender } from '../sender-domains/senders/senders.ts'
import { leftThisMonth } from '../usage/reserve.ts'
import type { Definition } from './definition.ts'
import { isSend, isSplit, isWait, waitUntil } from './program.ts'
import type { Step } from './steps.ts'

export interface Sending {
  definition: Definition
  /** The channel of each step that sends. */
  channels: readonly Channel[]
  sender: Sender | Refusal | undefined
  entering: { last30Days: number; mostInADay: number }
}

interface Lack {
  evidence: string
  finding: Finding
}

/** Mails wait or are skipped where there is no room, so this only warns. */
export async function roomGate(
  context: Pick<BusinessContext, 'db' | 'business' | 'now'>,
  { warmUpOf }: { warmUpOf: WarmUpOf },
  sending: Sending,
): Promise<Gate> {
  const lacks = [
    ...(await lacksOfTier(context, sending)),
    ...(await lacksOfWarmUp(context, warmUpOf, sending)),
    ...(await lacksOfCaps(context, sending)),
  ]
  const gate = 'quota'
  if (lacks.length === 0) {
    return { gate, result: 'pass', evidence: 'Tier, warm-up and caps have room for its messages.' }
  }
  return {
    gate,
    result: 'warn',
    evidence: lacks.map(({ evidence }) => evidence).join(' '),
    findings: lacks.map(({ finding }) => finding),
    remedy: 'Let fewer people enter, send fewer messages, or have more room given.',
    fix: { tool: 'meta.usage', arguments: {} },
  }
}

async function lacksOfTier(
  { db, business, now }: Pick<BusinessContext, 'db' | 'business' | 'now'>,
  { channels, entering }: Sending,
): Promise<Lack[]> {
  const lacks: Lack[] = []
  for (const [channel, metric, noun] of [
    ['email', 'emails', 'emails'],
    ['sms', 'sms', 'text messages'],
  ] as const) {
    const each = channels.filter((other) => other === channel).length
    const needs = each * entering.last30Days
    const query = { businessId: business.id, tier: business.tier, metric, now }
    const remaining = needs === 0 ? null : await leftThisMonth(db, query)
    if (remaining === null || needs <= remaining) continue
    lacks.push({
      evidence: `By the last 30 days it would send ${needs} ${noun} a month, and ${remaining} are left this month.`,
      finding: { finding: 'no_room_in_month', channel, needs, left: remaining },
    })
  }
  return lacks
}

async function lacksOfWarmUp(
  { business }: Pick<BusinessContext, 'business'>,
  warmUpOf: WarmUpOf,
  { definition: { kind }, channels, sender, entering }: Sending,
): Promise<Lack[]> {
  const mails = channels.filter((channel) => channel === 'email').length
  if (kind !== 'marketing' || mails === 0 || !sender || isRefusal(sender)) return []
  const warmUp = await warmUpOf(business.id, sender.domain)
  const limits = warmUp ? [warmUp.newProvider, ...warmUp.providers].map(({ today }) => today) : []
  const room = Math.min(...limits.map((today) => today ?? Number.POSITIVE_INFINITY))
  const mailsInADay = mails * entering.mostInADay
  if (mailsInADay <= room) return []
  return [
    {
      evidence: `The sender is still warming up: up to ${mailsInADay} mails would be due on one day, and one provider gets at most ${room} today. The others wait.`,
      finding: { finding: 'no_room_in_warm_up', most: mailsInADay, room },
    },
  ]
}

async function lacksOfCaps(
  { db, business, now }: Pick<BusinessContext, 'db' | 'business' | 'now'>,
  { definition: { kind, steps } }: Sending,
): Promise<Lack[]> {
  const caps = kind === 'marketing' ? await readCaps(db, business.id) : undefined
  if (!caps) return []
  const times = timesOf(steps, { at: now, zone: 'UTC' }).times
  const within = times.map((from) => {
    const end = shifted(from, caps.per, 1)
    return times.filter((at) => at >= from && at < end).length
  })
  const messages = Math.max(0, ...within)
  if (messages <= caps.max) return []
  return [
    {
      evidence: `${messages} of its messages fall within ${caps.per}, in which one person gets ${caps.max} at most: the others wait or are skipped.`,
      finding: { finding: 'no_room_under_cap', messages, days: daysIn(caps.per), max: caps.max },
    },
  ]
}

const daysIn = (per: string) => Math.round(shifted(new Date(0), per, 1).getTime() / days(1))

interface Walking {
  at: Date
  zone: string
}

/** When the steps would send at the earliest; of a split, the branch that sends most. */
function timesOf(steps: readonly Step[], { at: from, zone }: Walking): { times: Date[]; at: Date } {
  let at = from
  const times: Date[] = []
  for (const step of steps) {
    if (isSend(step)) times.push(at)
    else if (isWait(step)) at = waitUntil(step, at, zone)
    else if (isSplit(step)) {
      const branches = step.split.map((branch) => timesOf(branch.steps, { at, zone }))
      const [fullest] = branches.toSorted((a, b) => b.times.length - a.times.length)
      times.push(...(fullest?.times ?? []))
      at = fullest?.at ?? at
    }
  }
  return { times, at }
}
