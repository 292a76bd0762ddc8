import { monthsBefore, type RetainedKind, retainedKinds } from '../accounts/businesses/retention.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'

/** The highest exact count. Beyond it, the response says that there are more. */
export const mostCounted = 10_000

const counted = Type.Object({
  months: Type.Union([Type.Integer(), Type.Null()]),
  deletes: Type.Integer({ description: `Counted up to ${mostCounted}.` }),
  more: Type.Boolean(),
})

export const retentionPreview = operation({
  name: 'retention.preview',
  title: 'See what the next night deletes',
  area: 'business',
  summary:
    'How many message bodies, networks in evidence, submissions and contacts the retention of business.save deletes tonight. Deletes nothing.',
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
  }),

  async run({ db, business, now }) {
    const { everyRetainedData } = await import('./every-kind.ts')
    const { findRetention } = await import('./queries.ts')
    const retention = (await findRetention(db, business.id))?.retention ?? {}
    const count = async (kind: RetainedKind) => {
      const months = retention[kind] ?? null
      const data = everyRetainedData.find((entry) => entry.kind === kind)
      if (months === null || !data) return { months, deletes: 0, more: false }
      const overdue = { businessId: business.id, before: monthsBefore(now, months) }
      const found = await data.count(db, overdue, mostCounted + 1)
      return { months, deletes: Math.min(found, mostCounted), more: found > mostCounted }
    }
    const counts = await Promise.all(
      retainedKinds.map(async (kind) => [kind, await count(kind)] as const),
    )
    return Object.fromEntries(counts) as Record<RetainedKind, Awaited<ReturnType<typeof count>>>
  },
})
