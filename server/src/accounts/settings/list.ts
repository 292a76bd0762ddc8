import { formatId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { missingThings, type ReadMissing } from './missing.ts'

/**
 * The list comes from the principal that every call reads anyway, so it can never show a business
 * that other calls would refuse. What the businesses are missing is read for all of them at once.
 */
export function businessList({ missingOf }: { missingOf: ReadMissing }) {
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
        }),
      ),
    }),

    async run({ principal }, { business_id: chosen }) {
      const all = principal.businesses.map((business) => ({
        ...business,
        business_id: formatId('business', business.id),
      }))
      const listed = all.filter((entry) => !chosen || entry.business_id === chosen)
      const ids = listed.map(({ id }) => id)
      const missing = await missingOf(ids)
      const businesses = listed.map(({ id, business_id, name, tier, role }) => {
        return { business_id, name, tier, role, missing: [...(missing.get(id) ?? [])] }
      })
      return { businesses }
    },
  })
}
