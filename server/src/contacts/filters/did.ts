/** Conditions on what contacts did and what happened to them, as callers write them. */
import type { Channel } from '../model/contact.ts'
import type { Window } from './window.ts'

/** What the service sees by itself; any other name is one of the business's own events. */
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

/** What they are narrowed by. */
export interface Narrowing extends Window {
  campaign_id?: string
  template_id?: string
  form_id?: string
  channel?: Channel
  link?: string
  /** Of own events: those with a value in this currency alone. */
  currency?: string
  /** Opens and clicks by machines count, too. */
  machines?: boolean
}

/** How many, at least one where nothing is said; or how much, with `sum`. */
export interface Amount {
  /** Of the values of own events. */
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

/** What an event can be narrowed by, beside its time. */
export const narrowingsOf = (event: string): readonly NarrowingKey[] =>
  isHappening(event) ? narrowings[event] : ofOwnEvents

export const didLimits = {
  amount: 1_000_000,
  linkLength: 2_000,
} as const

/** A link as clicks are kept by: spelt as a browser spells it. */
export function linkOf(text: string): string | undefined {
  const url = text.length <= didLimits.linkLength ? URL.parse(text) : null
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.href : undefined
}

/** Whether one suffices: then who did it can be asked together with other events. */
export function isSimple({ sum, at_least, at_most, exactly }: DidCondition): boolean {
  if (sum !== undefined || at_most !== undefined || exactly !== undefined) return false
  return at_least === undefined || at_least === 1
}
