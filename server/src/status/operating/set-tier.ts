import { setAndCount } from '../../accounts/settings/settings.ts'
import { isRefusal, orRefusal, refuse } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { operation, tiers } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { Type } from '../../lib/schema/schema.ts'
import { changeHints, forOperator } from './common.ts'
import { type OperatorIdentity, refuseOthers } from './operator-only.ts'

export const operatorSetTier = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.set_tier',
    title: 'Change the tier of a business',
    summary:
      'Gives a business another tier, from its next call on. A business above the limits of its tier keeps what it has. Its audit log says so.',
    hints: changeHints,
    freshSignIn: 'A tier is changed',
    rest: 'POST /v1/operator/businesses/:of_business/tier',
    input: {
      of_business: Type.String({ maxLength: 40, description: 'bus_…' }),
      tier: Type.Enum(tiers),
    },
    output: Type.Object({ of_business: Type.String(), tier: Type.String() }),

    async run({ db, principal, now, write, origin }, { of_business, tier }) {
      const refused = await refuseOthers(identity, { db, principal })
      if (refused) throw refused
      const businessId = parseId('business', of_business)
      if (!businessId) throw noSuchBusiness(of_business)
      return write(async (tx) => {
        const set = await orRefusal(() =>
          setAndCount(tx, businessId, { key: 'tier', value: tier, now }),
        )
        if (isRefusal(set)) throw noSuchBusiness(of_business)
        const entry = { businessId, action: 'operator.set_tier', subject: of_business, origin }
        await recordAudit(tx, [{ ...entry, details: { tier } }], now)
        return { of_business, tier }
      })
    },
  })

const noSuchBusiness = (id: string) =>
  refuse('not_found', `There is no business ${id}.`, { field: 'of_business' })
