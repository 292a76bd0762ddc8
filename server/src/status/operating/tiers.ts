import { tierLimits } from '../../accounts/businesses/tiers.ts'
import { operation, tiers } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { forOperator, readHints } from './common.ts'
import { type OperatorIdentity, refuseOthers } from './operator-only.ts'

const limit = Type.Union([Type.Integer(), Type.Null()])

export const operatorTiers = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.tiers',
    title: 'See the tiers',
    summary: 'To the operator: what each tier allows, and how many businesses have it.',
    hints: readHints,
    rest: 'GET /v1/operator/tiers',
    input: {},
    output: Type.Object({
      tiers: Type.Array(
        Type.Object({
          tier: Type.Enum(tiers),
          businesses: Type.Integer(),
          limits: Type.Object(
            {
              contacts: limit,
              emails: limit,
              sms: limit,
              domains: limit,
              webhooks: limit,
              members: limit,
            },
            { description: 'null is no limit; emails and sms by month.' },
          ),
        }),
      ),
    }),

    async run({ db, principal }) {
      const refused = await refuseOthers(identity, { db, principal })
      if (refused) throw refused
      const { countTiers } = await import('../../accounts/businesses/overview.ts')
      const counted = await countTiers(db)
      return {
        tiers: tiers.map((tier) => ({
          tier,
          businesses: counted.get(tier) ?? 0,
          limits: tierLimits[tier],
        })),
      }
    },
  })
