import {
  keptMonths,
  monthsBefore,
  type RetainedKind,
  retainedKinds,
} from '../accounts/businesses/retention.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'

/** The highest exact count. Beyond it, the response says that there are more. */
export const mostCounted = 10_000

const counted = Type.Object({
  months: Type.Union([Type.Integer(), Type.Null()]),
  deletes: Type.Integer({ description: `Counted up to ${mostCounted}.` }),
  more: Type.Boolean(),
})

export interface RetentionParts {
  /** HISTORY_MONTHS of the operator; null: no limit. */
  historyMonths: number | null
}

export const retentionPreview = ({ historyMonths }: RetentionParts) =>
  operation({
    name: 'retention.preview',
    title: 'See what the next night deletes',
    area: 'business',
    summary:
      'How many rows of each kind the retention of business.save deletes tonight: message bodies, networks in evidence, submissions, contacts, history and own events. Deletes nothing.',
    reach: 'business',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/businesses/retention',
    input: {},
    output: Type.Object({
      messages: counted,
      evidence: counted,
      submissions: counted,
      contacts: counted,
      history: counted,
      events: counted,
      most_months: Type.Union([Type.Integer(), Type.Null()], {
        description: 'The most months that this service keeps history and events; null: no limit.',
      }),
    }),

    async run({ db, business, now }) {
      const { everyRetainedData } = await import('./every-kind.ts')
      const { findRetention } = await import('./run.ts')
      const retention = (await findRetention(db, business.id))?.retention ?? {}
      const count = async (kind: RetainedKind) => {
        const months = keptMonths(retention, kind, historyMonths)
        const data = everyRetainedData.find((entry) => entry.kind === kind)
        if (months === null || !data) return { months, deletes: 0, more: false }
        const overdue = { businessId: business.id, before: monthsBefore(now, months) }
        const count = await data.count(db, overdue, mostCounted + 1)
        return { months, deletes: Math.min(count, mostCounted), more: count > mostCounted }
      }
      const counts = await Promise.all(
        retainedKinds.map(async (kind) => [kind, await count(kind)] as const),
      )
      const byKind = Object.fromEntries(counts) as Record<
        RetainedKind,
        Awaited<ReturnType<typeof count>>
      >
      return { ...byKind, most_months: historyMonths }
    },
  })
