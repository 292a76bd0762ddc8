/** The warm-up of a domain as callers see it. */

import type { Id } from '../../core/ids.ts'
import { senderRequirements } from '../../lib/email/sender-requirements.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import type { Domain } from '../model/domain.ts'
import type { RefusingProvidersOf, WarmUpOf } from '../model/warm-up.ts'

export const warmUpView = Type.Object({
  days: Type.Array(Type.Integer()),
  providers: Type.Array(
    Type.Object({
      provider: Type.String(),
      today: Type.Union([Type.Integer(), Type.Null()]),
      sent_today: Type.Integer(),
      days_left: Type.Integer(),
      held: Type.Optional(
        Type.Object({
          by: Type.Enum(['refusals', 'allowance']),
          until: Type.String(),
        }),
      ),
    }),
  ),
  new_provider: Type.Object({
    today: Type.Union([Type.Integer(), Type.Null()]),
    days_left: Type.Integer(),
  }),
})

export const refusedByView = Type.Array(
  Type.Object({
    provider: Type.String(),
    kind: Type.Enum(['transactional', 'marketing']),
    missing: Type.Array(Type.Enum(senderRequirements)),
    at: Type.String(),
    held_until: Type.Optional(Type.String()),
  }),
)

/** The providers that refuse the domain for what it lacks; of a domain that is not proved, none. */
export async function shownRefusals(
  refusingProvidersOf: RefusingProvidersOf,
  { name, status }: Pick<Domain, 'name' | 'status'>,
): Promise<Static<typeof refusedByView>> {
  const refusing = status === 'pending' ? [] : await refusingProvidersOf(name)
  return refusing.map(({ missing, at, heldUntil, ...of }) => ({
    ...of,
    missing: [...missing],
    at: at.toISOString(),
    ...(heldUntil && { held_until: heldUntil.toISOString() }),
  }))
}

/** A domain that is not proved may be another business's, so nothing is told of it. */
export async function shownWarmUp(
  warmUpOf: WarmUpOf,
  businessId: Id<'business'>,
  { name, status }: Pick<Domain, 'name' | 'status'>,
): Promise<Static<typeof warmUpView> | undefined> {
  const warmUp = status === 'pending' ? undefined : await warmUpOf(businessId, name)
  if (!warmUp) return undefined
  const { newProvider } = warmUp
  return {
    days: [...warmUp.days],
    providers: warmUp.providers.map(({ provider, today, sentToday, daysLeft, held: hold }) => ({
      provider,
      today,
      sent_today: sentToday,
      days_left: daysLeft,
      ...(hold && { held: { by: hold.by, until: hold.until.toISOString() } }),
    })),
    new_provider: { today: newProvider.today, days_left: newProvider.daysLeft },
  }
}
