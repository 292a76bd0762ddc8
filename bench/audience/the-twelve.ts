/** The filters that must be fast, and the same filters in another form. */
import type { Filter } from '../../server/src/contacts/filters/filter.ts'
import type { Crowd } from './audience-population.ts'

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

export function theTwelve({ campaignId: campaign_id, formId: form_id }: Crowd): Filter[] {
  return [
    { consent: 'email', is: 'subscribed' },
    { and: [{ tag: 'vip' }, { field: 'attributes.plan', op: 'in', value: ['pro', 'team'] }] },
    {
      and: [
        { did: 'message.sent', campaign_id },
        { did_not: 'message.opened', campaign_id },
      ],
    },
    {
      or: [
        { did: 'message.opened', within: '30 days' },
        { did: 'message.clicked', within: '30 days' },
        { did: 'form.submitted', within: '30 days' },
      ],
    },
    {
      and: [
        { field: 'created_at', op: 'older_than', value: '90 days' },
        { did_not: 'message.opened', within: '90 days' },
        { did_not: 'message.clicked', within: '90 days' },
      ],
    },
    {
      and: [
        { did: 'form.submitted', form_id, since: daysAgo(60), until: daysAgo(1) },
        { not: { tag: 'customer' } },
      ],
    },
    { did: 'message.clicked', link: 'https://example.com/pricing', at_least: 2, within: '60 days' },
    {
      and: [
        { field: 'attributes.birthday', op: 'anniversary', value: '7 days' },
        { reachable: 'sms' },
      ],
    },
    { field: 'attributes.trial_ends', op: 'upcoming', value: '3 days' },
    {
      and: [
        { field: 'attributes.total_spent', op: 'gte', value: 200 },
        { field: 'attributes.country', op: 'is_not', value: 'US' },
        { field: 'email', op: 'ends_with', value: '@example.com' },
      ],
    },
    // Segments are expanded before a filter is compiled.
    {
      and: [
        { and: [{ did: 'message.opened', within: '30 days' }, { tag: 'customer' }] },
        { not: { field: 'attributes.country', op: 'is', value: 'US' } },
        { sample: 10, seed: 'spring' },
      ],
    },
    {
      and: [
        { consent: 'email', is: 'subscribed', within: '7 days' },
        {
          or: [
            { field: 'attributes.lang', op: 'missing' },
            { field: 'attributes.lang', op: 'is', value: 'de' },
          ],
        },
        { not: { or: [{ tag: 'staff' }, { did: 'message.bounced' }] } },
      ],
    },
  ]
}

/** Reverses lists and rewrites them by negation: "all are true" becomes "not any is false". */
export function otherwise(filter: Filter): Filter {
  if ('and' in filter) return { not: { or: filter.and.toReversed().map(contrary) } }
  if ('or' in filter) return { not: { and: filter.or.toReversed().map(contrary) } }
  return 'not' in filter ? filter : { and: [{ or: [filter] }] }
}

const contrary = (filter: Filter): Filter => ('not' in filter ? filter.not : { not: filter })
