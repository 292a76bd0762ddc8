/** The warm-up of a domain as callers see it. */

import type { Id } from '../../core/ids.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import type { Domain } from '../model/domain.ts'
import type { WarmUpOf } from '../model/warm-up.ts'

export const warmUpView = Type.Object(
  {
    days: Type.Array(Type.Integer(), {
      description: 'The most marketing a provider gets on its first, second … day; then no limit.',
    }),
    providers: Type.Array(
      Type.Object({
        provider: Type.String({
          description: 'The provider that receives: gmail, microsoft, yahoo, apple, or a domain.',
        }),
        today: Type.Union([Type.Integer(), Type.Null()], {
          description: 'The most marketing of today (UTC); null where there is no limit any more.',
        }),
        sent_today: Type.Integer({ description: 'How much marketing went out today.' }),
        days_left: Type.Integer({
          description: 'For how many days there is a limit, today included.',
        }),
        held: Type.Optional(
          Type.Object(
            {
              by: Type.Enum(['refusals', 'allowance'], {
                description: 'It refused the sender, or the most of today is used up.',
              }),
              until: Type.String({ description: 'When marketing to it goes on. ISO 8601, UTC.' }),
            },
            { description: 'Why marketing to this provider waits.' },
          ),
        ),
      }),
      { description: 'The providers that got marketing of the domain, most of today first.' },
    ),
  },
  {
    description:
      'Of a domain asked for by name: how much marketing each provider gets while it does not know the sender. Absent where the relay needs none.',
  },
)

/** A domain that is not proved may be another business's, so nothing is told of it. */
export async function shownWarmUp(
  warmUpOf: WarmUpOf,
  businessId: Id<'business'>,
  { name, status }: Pick<Domain, 'name' | 'status'>,
): Promise<Static<typeof warmUpView> | undefined> {
  const warmUp = status === 'pending' ? undefined : await warmUpOf(businessId, name)
  if (!warmUp) return undefined
  return {
    days: [...warmUp.days],
    providers: warmUp.providers.map(({ provider, today, sentToday, daysLeft, held }) => ({
      provider,
      today,
      sent_today: sentToday,
      days_left: daysLeft,
      ...(held && { held: { by: held.by, until: held.until.toISOString() } }),
    })),
  }
}
