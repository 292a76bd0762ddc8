import { formatId } from '../platform/ids.ts'
import { operation } from '../platform/operation.ts'
import { Type } from '../platform/schema.ts'

/**
 * Answered from the principal that every call reads anyway, so it costs no query of
 * its own and can never show a business that other calls would refuse.
 */
export const businessList = operation({
  name: 'business.list',
  title: 'List businesses',
  summary:
    'The businesses this connection can reach, with tier and your role. Start here: other tools take one of these ids as business_id. Businesses made after the connection do not appear until the person connects again.',
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
      }),
    ),
  }),

  async run({ principal }, input) {
    const chosen = input.business_id
    const businesses = principal.businesses.map((business) => ({
      business_id: formatId('business', business.id),
      name: business.name,
      tier: business.tier,
      role: business.role,
    }))
    return {
      businesses: chosen ? businesses.filter((b) => b.business_id === chosen) : businesses,
    }
  },
})
