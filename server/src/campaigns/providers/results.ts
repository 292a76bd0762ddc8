/** A campaign's results by the provider that receives its messages, as callers see them. */

import type { Id } from '../../core/ids.ts'
import { untrusted } from '../../core/untrusted.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { holdReasons } from '../../messages/throttle/provider-hold.ts'
import { holdsOf } from '../../messages/throttle/provider-holds.ts'
import { listProviders, listWords } from './queries.ts'

/** The most providers shown, and the most words of each. */
const shown = { providers: 30, words: 3 }

const count = (description: string) => Type.Integer({ description })

export const providersView = Type.Array(
  Type.Object({
    provider: Type.Union([Type.String(), Type.Null()], {
      description:
        'The provider that receives the mail: gmail, microsoft, yahoo, apple, or a domain; null for all others together.',
    }),
    sent: count('Recipients whose mail the provider took or bounced.'),
    delivered: count('Recipients of whom it reported the delivery.'),
    deferred: count('Recipients whose mail the provider postponed at least once.'),
    refused: count('Recipients it refused, though their address may exist.'),
    refused_by_policy: count('Recipients it refused because of the sender.'),
    bounced: count('Recipients whose address does not exist.'),
    complained: count('Recipients who called it spam.'),
    held: Type.Optional(
      Type.Object(
        {
          reason: Type.Enum(holdReasons, {
            description: 'It refused the sender too often, or too many people complained.',
          }),
          since: Type.String({ description: 'When the hold began. ISO 8601, UTC.' }),
          until: Type.String({ description: 'When its share goes on by itself. ISO 8601, UTC.' }),
        },
        { description: 'Its share of the campaign waits; the rest goes on.' },
      ),
    ),
    untrusted: Type.Optional(
      untrusted({
        refusals: Type.Array(
          Type.Object({
            words: Type.String({
              description: 'What the provider said, without addresses and ids.',
            }),
            count: count('How often it said so.'),
          }),
          {
            description: 'The commonest words of its refusals.',
          },
        ),
      }),
    ),
  }),
  { description: 'By the provider that receives the mail, most recipients first.' },
)

export type ProviderResults = Static<typeof providersView>

interface CampaignAsked {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
}

export async function providerResults(
  db: Db,
  asked: CampaignAsked,
  now: Date,
): Promise<ProviderResults> {
  const [counted, holds] = await Promise.all([
    listProviders(db, asked, shown.providers),
    holdsOf(db, asked),
  ])
  const providers = counted.map(({ provider }) => provider)
  const refused = counted.some((one) => one.refused > 0)
  const words = refused ? await listWords(db, asked, { providers, most: shown.words }) : []
  return counted.map(({ provider, refusedByPolicy, ...counts }) => {
    const hold = holds.find((one) => one.provider === provider && one.heldUntil > now)
    const refusals = words
      .filter((one) => one.provider === provider)
      .map((one) => ({ words: one.words, count: one.amount }))
    return {
      provider: provider || null,
      ...counts,
      refused_by_policy: refusedByPolicy,
      ...(hold && {
        held: {
          reason: hold.reason,
          since: hold.heldAt.toISOString(),
          until: hold.heldUntil.toISOString(),
        },
      }),
      ...(refusals.length > 0 && { untrusted: { refusals } }),
    }
  })
}
