/** What a business asks of its members: a second factor from a day on, and a fresh one for some acts. */
import type { Id } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { FactorDeps } from './authenticator-app.ts'

export const ruleFields = {
  required_from: Type.Union([Type.String(), Type.Null()], {
    description: 'From when every member needs a second factor; null if none is required.',
  }),
  asks_fresh: Type.Boolean({ description: 'Whether important acts ask for it again.' }),
  by_operator: Type.Boolean({ description: 'Whether the operator requires both of everybody.' }),
}

export interface Rule {
  name: string
  requiredFrom: Date | null
  asksFresh: boolean
}

export function readRule(db: Db, businessId: Id<'business'>): Promise<Rule> {
  return db.one(sql`
    select name, factor_required_from as "requiredFrom", asks_fresh_factor as "asksFresh"
    from businesses where id = ${businessId}
  `)
}

export const fieldsOf = ({ requiredFrom, asksFresh }: Rule, isRequired: boolean) => ({
  required_from: requiredFrom?.toISOString() ?? null,
  asks_fresh: asksFresh,
  by_operator: isRequired,
})

export function factorRules({ isRequired }: Pick<FactorDeps, 'isRequired'>) {
  return operation({
    name: 'factor.rules',
    title: 'See what is asked of members',
    summary: 'From when members need a second factor, and whether important acts ask for it again.',
    reach: 'business',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/factors/rules',
    input: {},
    output: Type.Object(ruleFields),

    async run({ db, business }) {
      return fieldsOf(await readRule(db, business.id), isRequired)
    },
  })
}
