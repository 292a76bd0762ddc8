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
      return { did, ...Object.fromEntries(chosen.map((key) => [key, values[key]])) }
    }),
  fc.record({ did: oneOf(own), currency: oneOf(currencies) }, { requiredKeys: ['did'] }),
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
  })
  .map(({ event, at, value, currency, ...about }) => {
    if (!isHappening(event)) {
      return { event, at, value, currency: value === undefined ? undefined : currency }
    }
    const isByMachine = event === 'message.opened' || event === 'message.clicked'
    const kept = { ...about, machine: isByMachine ? about.machine : undefined }
    return { event, at, ...kept, link: event === 'message.clicked' ? about.link : undefined }
  })
