/** Reads a condition on behaviour: the event, what narrows it, its time, and its count. */
import { parseId } from '../../core/ids.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { channels } from '../contact.ts'
import {
  isCurrency,
  isOwnEventName,
  ownEventLimits,
  reservedNames,
  suggestOwnEventName,
} from '../own-events/own-event.ts'
import {
  amountKeys,
  didLimits,
  happenings,
  isHappening,
  linkOf,
  narrowingKeys,
  narrowingsOf,
} from './did.ts'
import { type Fault, faultAt, type Reading, shown } from './faults.ts'

type Written = Record<string, unknown>

export const didKeys = [...narrowingKeys, 'within', 'since', 'until'] as const
export const countedKeys = [...didKeys, 'sum', ...amountKeys] as const

export function readDid(written: Written, at: string, { faults }: Reading): void {
  const key = Object.hasOwn(written, 'did') ? 'did' : 'did_not'
  const event = written[key]
  if (typeof event !== 'string' || !(isHappening(event) || isOwnEventName(event))) {
    const rule = `is ${shown(event)}: it takes ${happenings.join(', ')}, or the name of an event of contact.track.`
    faults.push(faultAt(`${at}.${key}`, rule, eventMeant(event)))
    return
  }
  readNarrowing(written, { at, event, faults })
  if (key === 'did') readAmount(written, { at, event, faults })
  else if ([...amountKeys, 'sum'].some((text) => Object.hasOwn(written, text))) {
    const rule = 'counts nothing with did_not: ask with did and at_most.'
    faults.push(faultAt(at, rule, countedMeant(written)))
  }
}

function eventMeant(event: unknown): string | undefined {
  if (typeof event !== 'string' || event.length > 100) return undefined
  const word = event.trim().toLowerCase()
  const bare = word.slice(word.indexOf('.') + 1)
  const ending = (all: string) => all.slice(all.indexOf('.') + 1)
  if (word.includes('.') || reservedNames.includes(word)) {
    const found = happenings.find((happening) => ending(happening) === bare)
    return found ?? (nearest(word, happenings) as string | undefined)
  }
  return suggestOwnEventName(word)
}

/** Somebody who did not do it three times did it at most twice. */
function countedMeant(written: Written): unknown {
  const { did_not: did, at_least: least, sum: _, ...rest } = written
  const others = Object.entries(rest).filter(
    ([key]) => !(amountKeys as readonly string[]).includes(key),
  )
  const narrowed = Object.fromEntries(others)
  return typeof least === 'number' && least > 1
    ? { did, ...narrowed, at_most: least - 1 }
    : { did_not: did, ...narrowed }
}

interface Place {
  at: string
  event: string
  faults: Fault[]
}

function readNarrowing(written: Written, { at, event, faults }: Place): void {
  const allowed = narrowingsOf(event)
  for (const key of narrowingKeys) {
    const value = written[key]
    if (value === undefined) continue
    if (!allowed.includes(key)) {
      const { [key]: _, ...rest } = written
      const rule = `has no ${key}: ${event} is narrowed by ${allowed.join(', ')}.`
      faults.push(faultAt(at, rule, rest))
      continue
    }
    const wrong = wrongIn[key](value)
    if (wrong) faults.push(faultAt(`${at}.${key}`, `takes ${wrong}, not ${shown(value)}.`))
  }
}

const isId = (noun: 'campaign' | 'template' | 'form', value: unknown) =>
  typeof value === 'string' && parseId(noun, value) !== undefined

const wrongIn: Readonly<
  Record<(typeof narrowingKeys)[number], (value: unknown) => string | false>
> = {
  campaign_id: (value) => !isId('campaign', value) && 'the id of a campaign (campaign.list)',
  template_id: (value) => !isId('template', value) && 'the id of a template (template.list)',
  form_id: (value) => !isId('form', value) && 'the id of a form (form.list)',
  channel: (value) => !channels.some((channel) => channel === value) && channels.join(' or '),
  link: (value) =>
    !(typeof value === 'string' && linkOf(value) !== undefined) &&
    'a URL that begins with https://',
  machines: (value) => typeof value !== 'boolean' && 'true or false',
  currency: (value) =>
    !(typeof value === 'string' && isCurrency(value)) && 'a currency such as "EUR" (ISO 4217)',
}

function readAmount(written: Written, { at, event, faults }: Place): void {
  const { sum } = written
  const given = amountKeys.filter((key) => written[key] !== undefined)
  const [key, second] = given
  if (second !== undefined) {
    const dropped = Object.fromEntries(Object.entries(written).filter(([one]) => one !== second))
    faults.push(faultAt(at, `takes one of ${amountKeys.join(', ')}.`, dropped))
  }
  if (sum !== undefined) {
    if (sum !== 'value')
      faults.push(faultAt(`${at}.sum`, `takes "value", not ${shown(sum)}.`, 'value'))
    if (isHappening(event)) {
      const { sum: _, ...rest } = written
      faults.push(faultAt(at, 'has no sum: only events of contact.track have values.', rest))
    }
    if (key === undefined) {
      faults.push(faultAt(at, `has a sum and no ${amountKeys.join(', ')} to compare it with.`))
    }
  }
  if (key === undefined) return
  const amount = written[key]
  const least = key === 'at_least' ? 1 : 0
  if (sum === undefined) {
    const isRight =
      Number.isSafeInteger(amount) && Number(amount) >= least && Number(amount) <= didLimits.amount
    if (!isRight) {
      const rule = `takes a whole number from ${least} to ${didLimits.amount}, not ${shown(amount)}.`
      faults.push(faultAt(`${at}.${key}`, rule))
    }
  } else if (typeof amount !== 'number' || Math.abs(amount) > ownEventLimits.value) {
    faults.push(faultAt(`${at}.${key}`, `takes a number, not ${shown(amount)}.`))
  }
}
