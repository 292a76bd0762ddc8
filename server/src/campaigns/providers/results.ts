/** A campaign's results by the provider that receives its messages, as callers see them. */

import type { Id } from '../../core/ids.ts'
import { untrusted } from '../../core/untrusted.ts'
import type { Db } from '../../lib/db/types.ts'
import { statusIn } from '../../lib/email/classify.ts'
import {
  requirementsIn,
  type SenderRequirement,
  senderRequirements,
} from '../../lib/email/sender-requirements.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { type RouteFacts, reportsComplaints } from '../../messages/relays/route-facts.ts'
import { holdReasons, holdsOf } from '../../messages/throttle/provider-holds.ts'
import { listProviders, listWords } from './counts.ts'

/** The most providers shown, and the most words of each. */
const limits = { providers: 30, words: 3 }

export const providersView = Type.Array(
  Type.Object({
    provider: Type.Union([Type.String(), Type.Null()]),
    sent: Type.Integer(),
    delivered: Type.Integer(),
    deferred: Type.Integer(),
    refused: Type.Integer(),
    refused_by_policy: Type.Integer(),
    bounced: Type.Integer(),
    complained: Type.Integer(),
    complaints_reported: Type.Boolean(),
    missing: Type.Optional(Type.Array(Type.Enum(senderRequirements))),
    held: Type.Optional(
      Type.Object({
        reason: Type.Enum(holdReasons),
        since: Type.String(),
        until: Type.String(),
      }),
    ),
    untrusted: Type.Optional(
      untrusted({
        refusals: Type.Array(
          Type.Object({
            words: Type.String(),
            count: Type.Integer(),
          }),
        ),
      }),
    ),
  }),
)

export type ProviderResults = Static<typeof providersView>

interface CampaignAsked {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
}

export async function providerResults(
  db: Db,
  { complaintsReported, ...query }: CampaignAsked & Pick<RouteFacts, 'complaintsReported'>,
  now: Date,
): Promise<ProviderResults> {
  const [counted, holds] = await Promise.all([
    listProviders(db, query, limits.providers),
    holdsOf(db, query),
  ])
  const providers = counted.map(({ provider }) => provider)
  const refused = counted.some((entry) => entry.refused > 0 || entry.deferred > 0)
  const words = refused ? await listWords(db, query, { providers, limit: limits.words }) : []
  return counted.map(({ provider, refusedByPolicy, ...counts }) => {
    const hold = holds.find((entry) => entry.provider === provider && entry.heldUntil > now)
    const refusals = words
      .filter((word) => word.provider === provider)
      .map((word) => ({ words: word.words, count: word.amount }))
    const missing = missingBy(refusals.map((refusal) => refusal.words))
    return {
      provider: provider || null,
      ...counts,
      refused_by_policy: refusedByPolicy,
      complaints_reported:
        counts.complained > 0 || (complaintsReported && reportsComplaints(provider)),
      ...(missing.length > 0 && { missing }),
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

/** What the sender lacks by these refusals. */
function missingBy(refusals: readonly string[]): SenderRequirement[] {
  const all = refusals.flatMap((words) => requirementsIn(words, statusIn(words)))
  return senderRequirements.filter((requirement) => all.includes(requirement))
}
