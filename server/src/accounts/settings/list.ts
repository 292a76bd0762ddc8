import { formatId, type Id } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { missingThings, type ReadMissing } from './missing.ts'

/** What an owner signed that a connection may send without asking; `mandate.list` has all of it. */
interface SignedTerms {
  mandate_id: string
  paused: boolean
  ends_at: string
  goal: string
  people_per_week: number
  hours: { from: string; to: string }
  tone: string | null
  never_words: string[]
  link_hosts: string[]
}

type MandatesFor = (
  db: Db,
  businessIds: readonly Id<'business'>[],
  caller: { connectionId: Id<'connection'>; now: Date },
) => Promise<ReadonlyMap<Id<'business'>, SignedTerms>>

/**
 * The list comes from the principal that every call reads anyway, so it can never show a business
 * that other calls would refuse. What the businesses are missing is read for all of them at once.
 */
export function businessList({
  missingOf,
  mandatesFor,
}: {
  missingOf: ReadMissing
  mandatesFor: MandatesFor
}) {
  return operation({
    name: 'business.list',
    title: 'List businesses',
    area: 'business',
    everyday: true,
    summary:
      'The businesses this connection can reach, with tier, your role, and what a deploy lacks. Start here: other tools take one of these ids as business_id. Businesses made later appear once the person connects again.',
    reach: 'connection',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/businesses',
    input: {},
    output: Type.Object({
      businesses: Type.Array(
        Type.Object({
          business_id: Type.String(),
          name: Type.String(),
          tier: Type.String(),
          role: Type.String(),
          missing: Type.Array(Type.Enum(missingThings)),
          mandate: Type.Optional(
            Type.Object({
              mandate_id: Type.String(),
              paused: Type.Boolean(),
              ends_at: Type.String(),
              goal: Type.String(),
              people_per_week: Type.Integer(),
              hours: Type.Object({ from: Type.String(), to: Type.String() }),
              tone: Type.Union([Type.String(), Type.Null()]),
              never_words: Type.Array(Type.String()),
              link_hosts: Type.Array(Type.String()),
            }),
          ),
        }),
      ),
    }),

    async run({ db, principal, now }, { business_id: chosen }) {
      const all = principal.businesses.map((business) => ({
        ...business,
        business_id: formatId('business', business.id),
      }))
      const listed = all.filter((entry) => !chosen || entry.business_id === chosen)
      const ids = listed.map(({ id }) => id)
      const { connectionId } = principal
      const [missing, mandates] = await Promise.all([
        missingOf(ids),
        connectionId === null ? undefined : mandatesFor(db, ids, { connectionId, now }),
      ])
      const businesses = listed.map(({ id, business_id, name, tier, role }) => {
        const mandate = mandates?.get(id)
        const lacks = [...(missing.get(id) ?? [])]
        return { business_id, name, tier, role, missing: lacks, ...(mandate && { mandate }) }
      })
      return { businesses }
    },
  })
}
