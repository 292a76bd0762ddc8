import { recordAudit } from '../events/audit.ts'
import { isRefusal } from '../platform/errors.ts'
import { formatId } from '../platform/ids.ts'
import { operation } from '../platform/operation.ts'
import { Type } from '../platform/schema.ts'
import { mostDeployed, setBusiness } from './settings.ts'

/**
 * What apps may do by themselves is an owner's word, so it is no tool: a program that could
 * raise the limit would need no approval.
 */
export const businessSave = operation({
  name: 'business.save',
  title: 'Change what a business allows',
  summary: 'Sets up to how many recipients an app deploys campaigns without a person’s approval.',
  reach: 'business',
  scope: 'meta:read',
  role: 'owner',
  tier: 'free',
  doors: ['app'],
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'PATCH /v1/businesses/settings',
  input: {
    deploy_limit: Type.Union([Type.Integer({ minimum: 0, maximum: mostDeployed }), Type.Null()], {
      description: 'null is any number.',
    }),
  },
  output: Type.Object({
    business_id: Type.String(),
    deploy_limit: Type.Union([Type.Integer(), Type.Null()]),
  }),

  async run({ business, now, write, origin }, { deploy_limit }) {
    const business_id = formatId('business', business.id)
    return write(async (tx) => {
      const setting = { key: 'deploy_limit', value: `${deploy_limit ?? 'none'}`, now }
      const set = await setBusiness(tx, business.id, setting)
      if (isRefusal(set)) return set
      const entry = { businessId: business.id, action: 'business.save', subject: business_id }
      await recordAudit(tx, [{ ...entry, details: { deploy_limit }, origin }], now)
      return { business_id, deploy_limit }
    })
  },
})
