import { operation } from '../../core/operation.ts'
import { untrusted } from '../../core/untrusted.ts'
import { Type } from '../../lib/schema/schema.ts'
import { forOperator, readHints } from './common.ts'
import { type OperatorIdentity, requireOperator } from './operator-only.ts'

export interface RelayState {
  name: string
  /** Whether it is left out because it could not be reached. */
  isAway: boolean
}

export interface MailFacility extends OperatorIdentity {
  /** The relays as this process sees them. */
  relays(now: Date): RelayState[]
}

export const operatorMail = (facility: MailFacility) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.mail',
    title: 'See the mail that waits',
    summary:
      'For the operator: waiting messages, deferred ones with the servers’ replies, and paused streams.',
    hints: readHints,
    rest: 'GET /v1/operator/mail',
    input: {},
    output: Type.Object({
      relays: Type.Array(Type.Object({ name: Type.String(), is_away: Type.Boolean() })),
      waiting: Type.Array(
        Type.Object({
          channel: Type.String(),
          due: Type.Integer(),
          later: Type.Integer({ description: 'Scheduled, or for another try.' }),
          held: Type.Integer({ description: 'Of campaigns on hold.' }),
          oldest_due_at: Type.Union([Type.String(), Type.Null()]),
        }),
      ),
      deferred: Type.Array(
        Type.Object({
          relay: Type.String(),
          provider: Type.Union([Type.String(), Type.Null()]),
          messages: Type.Integer(),
          next_at: Type.String(),
          untrusted: Type.Optional(untrusted({ words: Type.String() })),
        }),
      ),
      is_part_of_deferred: Type.Boolean({ description: 'More wait than were counted.' }),
      paused: Type.Array(
        Type.Object({
          relay: Type.String(),
          domain: Type.String(),
          kind: Type.String(),
          provider: Type.String(),
          until: Type.String(),
        }),
      ),
      is_part_of_paused: Type.Boolean(),
    }),

    async run({ db, principal, now }) {
      await requireOperator(facility, { db, principal })
      const { queueOverview } = await import('../../messages/waiting/overview.ts')
      const overview = await queueOverview(db, now)
      return {
        relays: facility.relays(now).map(({ name, isAway }) => ({ name, is_away: isAway })),
        waiting: overview.waiting.map(({ channel, due, later, held: onHold, oldestDueAt }) => ({
          channel,
          due,
          later,
          held: onHold,
          oldest_due_at: oldestDueAt?.toISOString() ?? null,
        })),
        deferred: overview.deferred.map(({ route, provider, messages, nextAt, words }) => ({
          relay: route,
          provider: provider || null,
          messages,
          next_at: nextAt.toISOString(),
          ...(words !== null && { untrusted: { words } }),
        })),
        is_part_of_deferred: overview.isPartOfDeferred,
        paused: overview.paused.map(({ route, domain, kind, provider, pausedUntil }) => ({
          relay: route,
          domain,
          kind,
          provider,
          until: pausedUntil.toISOString(),
        })),
        is_part_of_paused: overview.isPartOfPaused,
      }
    },
  })
