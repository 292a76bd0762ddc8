import { formatId } from '../platform/ids.ts'
import { operation } from '../platform/operation.ts'
import { Type } from '../platform/schema.ts'
import { selectDeployLimits } from './queries.ts'

/** For the page on which an owner changes them. */
export const businessSettings = operation({
  name: 'business.settings',
  title: 'See what businesses allow',
  summary: 'Of each business of a person: his role, and what it lets apps do by themselves.',
  reach: 'connection',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  doors: ['app'],
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/businesses/settings',
  input: {},
  output: Type.Object({
    businesses: Type.Array(
      Type.Object({
        business_id: Type.String(),
        name: Type.String(),
        role: Type.String(),
        deploy_limit: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Recipients up to which a campaign needs no approval; null is any number.',
        }),
      }),
    ),
  }),

  async run({ db, principal }, { business_id }) {
    const reached = principal.businesses.map((business) => {
      return { ...business, business_id: formatId('business', business.id) }
    })
    const asked = reached.filter((one) => !business_id || one.business_id === business_id)
    const rows = await selectDeployLimits(
      db,
      asked.map(({ id }) => id),
    )
    const limits = new Map(rows.map(({ id, deployLimit }) => [id, deployLimit]))
    const businesses = asked.map(({ id, business_id, name, role }) => {
      return { business_id, name, role, deploy_limit: limits.get(id) ?? null }
    })
    return { businesses }
  },
})
