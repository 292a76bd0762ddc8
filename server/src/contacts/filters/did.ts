/** Conditions on contacts' behaviour, as callers write them. */
import type { Channel } from '../contact.ts'
import type { Window } from './window.ts'

/** Events that the service records itself; any other name is one of the business's own events. */
export const happenings = [
  'message.sent',
  'message.delivered',
  'message.opened',
  'message.clicked',
  'message.bounced',
  'message.replied',
  'form.submitted',
] as const
export type Happening = (typeof happenings)[number]

export const isHappening = (name: string): name is Happening =>
  (happenings as readonly string[]).includes(name)

/** The fields that narrow a condition on behaviour. */
export interface Narrowing extends Window {
  campaign_id?: string
  template_id?: string
  form_id?: string
  channel?: Channel
  link?: string
  /** For own events: only those with a value in this currency. */
  currency?: string
  /** Whether opens and clicks by machines count, too. */
  machines?: boolean
}

/** How often it happened, by default at least once; or the total value, with `sum`. */
export interface Amount {
  /** The sum of the values of own events. */
  sum?: 'value'
  at_least?: number
  at_most?: number
  exactly?: number
}

export interface DidCondition extends Narrowing, Amount {
  did: string
}

export interface DidNotCondition extends Narrowing {
  did_not: string
}

export const windowKeys = ['within', 'since', 'until'] as const
export const amountKeys = ['at_least', 'at_most', 'exactly'] as const
export const narrowingKeys = [
  'campaign_id',
  'template_id',
  'form_id',
  'channel',
  'link',
  'machines',
  'currency',
] as const
type NarrowingKey = (typeof narrowingKeys)[number]

const ofOwnEvents = ['currency'] as const
const ofMessages = ['campaign_id', 'template_id', 'channel'] as const
const narrowings: Readonly<Record<Happening, readonly NarrowingKey[]>> = {
  'message.sent': ofMessages,
  'message.delivered': ofMessages,
  'message.opened': [...ofMessages, 'machines'],
  'message.clicked': [...ofMessages, 'machines', 'link'],
  'message.bounced': ofMessages,
  'message.replied': ['channel'],
  'form.submitted': ['form_id'],
}

/** The fields that can narrow an event, besides its time. */
export const narrowingsOf = (event: string): readonly NarrowingKey[] =>
  isHappening(event) ? narrowings[event] : ofOwnEvents

export const didLimits = {
  amount: 1_000_000,
  linkLength: 2_000,
} as const

/** Normalises a link as clicks store it: as a browser spells it. */
export function linkOf(text: string): string | undefined {
  const url = text.length <= didLimits.linkLength ? URL.parse(text) : null
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined
}

/** Whether a single event suffices: such conditions can be evaluated together. */
export function isSimple({ sum, at_least, at_most, exactly }: DidCondition): boolean {
  if (sum !== undefined || at_most !== undefined || exactly !== undefined) return false
  return at_least === undefined || at_least === 1
}
