/** An owner changes what the business asks of its members. */
import { refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { days, later } from '../../lib/time/clock.ts'
import type { FactorDeps } from './authenticator-app.ts'
import { hasFactor, ownFactors } from './factor.ts'
import { fieldsOf, readRule, ruleFields } from './rules.ts'

/** The most days that members are given. */
const mostDays = 90

/** The most members who are told by mail. */
const mostTold = 1_000

export function factorRequire({ notices, isRequired }: Pick<FactorDeps, 'notices' | 'isRequired'>) {
  return operation({
    name: 'factor.require',
    title: 'Require a second factor of members',
    summary:
      'Requires a second factor of every member, after days of grace, and a fresh one for important acts. Members without one are told by mail.',
    reach: 'business',
    scope: 'meta:read',
    role: 'owner',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'What is asked of members is changed',
    freshFactor: 'members',
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    rest: 'PUT /v1/factors/rules',
    input: {
      required: Type.Boolean(),
      days: Type.Optional(
        Type.Integer({ minimum: 0, maximum: mostDays, description: 'Until it is required.' }),
      ),
      asks_fresh: Type.Boolean(),
    },
    output: Type.Object(ruleFields),

    async run(context, { required, days: grace = 0, asks_fresh }) {
      const { business, principal, now, write, origin } = context
      return write(async (tx) => {
        // Nobody shuts themselves out.
        const own = await ownFactors(tx, principal.userId)
        if ((required || asks_fresh) && !hasFactor(own)) throw ownFirst()
        const before = await readRule(tx, business.id)
        const stays = required && before.requiredFrom !== null && grace === 0
        const requiredFrom = stays ? before.requiredFrom : required ? later(now, days(grace)) : null
        await tx.run(sql`
          update businesses
          set factor_required_from = ${requiredFrom}, asks_fresh_factor = ${asks_fresh}
          where id = ${business.id}
        `)
        if (requiredFrom && before.requiredFrom === null) {
          const details = { business: before.name, at: requiredFrom.toISOString() }
          for (const userId of await membersWithout(tx, business.id)) {
            await notices.queue(tx, { userId, event: 'required', details, now })
          }
        }
        const entry = {
          businessId: business.id,
          action: 'factor.require',
          subject: formatId('business', business.id),
          details: { required, days: grace, asks_fresh },
          origin,
        }
        await recordAudit(tx, [entry], now)
        return fieldsOf({ ...before, requiredFrom, asksFresh: asks_fresh }, isRequired)
      })
    },
  })
}

async function membersWithout(db: Db, businessId: Id<'business'>): Promise<Id<'user'>[]> {
  const rows = await db.all<{ userId: Id<'user'> }>(sql`
    select m.user_id as "userId" from memberships m
    where m.business_id = ${businessId}
      and not exists (select from passkeys p where p.user_id = m.user_id)
      and not exists (
        select from authenticator_apps a where a.user_id = m.user_id and a.secret is not null
      )
    order by m.user_id limit ${mostTold}
  `)
  return rows.map(({ userId }) => userId)
}

const ownFirst = () =>
  refuse('conflict', 'Add a passkey or an authenticator app of your own first, under Sessions.', {
    data: { reason: 'no_factor' },
  })
