/** Events of people, and conditions on them, for property tests. */

import { channels } from 'crier-server/contacts/contact.ts'
import {
  type Condition,
  type DidCondition,
  happenings,
  isHappening,
  narrowingsOf,
  type Window,
} from 'crier-server/contacts/filters/filter.ts'
import type { Comparison, PropertyRules } from 'crier-server/contacts/own-events/property-rules.ts'
import { formatId, newId } from 'crier-server/core/ids.ts'
import { fc } from '../properties.ts'
import type { PlainDeed } from './oracle.ts'
import { aMoment, duration, oneOf, time } from './some-times.ts'

const campaigns = twoIds('campaign')
const templates = twoIds('template')
const forms = twoIds('form')
const links = ['https://example.com/pricing', "https://example.com/?a='%20or%201=1"]
const own = ['order', 'visit']
const currencies = ['EUR', 'USD']

function twoIds(noun: 'campaign' | 'template' | 'form'): string[] {
  return [newId(noun), newId(noun)].map((id) => formatId(noun, id))
}

const window: fc.Arbitrary<Window> = fc.oneof(
  fc.constant({}),
  fc.record({ within: duration }),
  fc.record({ since: time, until: time }, { requiredKeys: [] }),
)

const propertyValues = ['mug', 'MUG', "a'b", '', 5, 7.5, -1, 1e21, true, false]
const properties = fc.record(
  {
    sku: oneOf(propertyValues),
    'a"b\\': oneOf(propertyValues),
    value: oneOf(propertyValues),
    cart: fc.record({ id: oneOf(propertyValues), constructor: oneOf(propertyValues) }),
    items: fc.array(fc.record({ id: oneOf(propertyValues) }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
)
const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  fc.record({ is: oneOf(propertyValues) }),
  fc.record({ in: fc.array(oneOf(propertyValues), { minLength: 1, maxLength: 4 }) }),
  fc.record({ gt: oneOf([-5, 5, 7]) }),
  fc.record({ lt: oneOf([-5, 5, 7]) }),
  fc.record({ contains: oneOf(['U', "'", 'x']) }),
)
const someRules: fc.Arbitrary<PropertyRules> = fc.dictionary(
  oneOf(
    ['sku', 'a"b\\', 'value', 'currency', 'cart.id', 'cart.constructor', 'items.0', 'items'].map(
      (path) => `properties.${path}`,
    ),
  ),
  comparison,
  { minKeys: 1, maxKeys: 2 },
)
const narrowed: fc.Arbitrary<DidCondition> = fc.oneof(
  fc
    .record({ did: oneOf(happenings), narrowing: fc.nat() })
    .map(({ did, narrowing }): DidCondition => {
      const keys = narrowingsOf(did)
      const values = {
        campaign_id: campaigns[narrowing % 2] ?? '',
        template_id: templates[narrowing % 2] ?? '',
        form_id: forms[narrowing % 2] ?? '',
        channel: channels[narrowing % 2] ?? 'email',
        link: links[narrowing % 2] ?? '',
        machines: narrowing % 2 === 0,
        currency: currencies[narrowing % 2] ?? '',
      }
      const chosen = keys.filter((_, n) => (narrowing >> (n + 1)) % 3 === 0)
      const narrow = Object.entries(values).filter(([key]) => chosen.some((name) => name === key))
      return { did, ...Object.fromEntries(narrow) }
    }),
  fc.record(
    { did: oneOf(own), currency: oneOf(currencies), where: someRules },
    { requiredKeys: ['did'] },
  ),
)
const counted = fc.oneof(
  fc.constant({}),
  fc.record({ at_least: oneOf([1, 2, 3]) }),
  fc.record({ at_most: oneOf([0, 1, 2]) }),
  fc.record({ exactly: oneOf([0, 1, 2]) }),
)
const summed = fc.oneof(
  fc.record({ at_least: oneOf([-5, 0, 5, 12.5]) }),
  fc.record({ at_most: oneOf([-5, 0, 5, 12.5]) }),
  fc.record({ exactly: oneOf([0, 7.5]) }),
)
export const didCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.tuple(narrowed, window, counted).map((parts) => Object.assign({}, ...parts)),
  fc
    .tuple(narrowed, window)
    .map(([{ did, ...narrowing }, when]) => ({ did_not: did, ...narrowing, ...when })),
  fc
    .tuple(oneOf(own), window, summed, fc.option(oneOf(currencies), { nil: undefined }))
    .map(([did, when, amount, currency]) => ({
      did,
      sum: 'value' as const,
      ...(currency !== undefined && { currency }),
      ...when,
      ...amount,
    })),
)

export const someDeed: fc.Arbitrary<PlainDeed> = fc
  .record({
    event: fc.oneof(oneOf(happenings), oneOf(own)),
    at: aMoment,
    campaign_id: fc.option(oneOf(campaigns), { nil: undefined }),
    template_id: fc.option(oneOf(templates), { nil: undefined }),
    form_id: fc.option(oneOf(forms), { nil: undefined }),
    channel: oneOf(channels),
    link: oneOf(links).map((link) => new URL(link).href),
    machine: fc.boolean(),
    value: fc.option(oneOf([0, 5, 7.5, -5]), { nil: undefined }),
    currency: oneOf(currencies),
    properties,
  })
  .map(({ event, at, value, currency, properties: what, ...about }) => {
    if (!isHappening(event)) {
      const worth = { value, currency: value === undefined ? undefined : currency }
      return { event, at, ...worth, properties: what }
    }
    const isByMachine = event === 'message.opened' || event === 'message.clicked'
    const kept = { ...about, machine: isByMachine ? about.machine : undefined }
    return { event, at, ...kept, link: event === 'message.clicked' ? about.link : undefined }
  })
