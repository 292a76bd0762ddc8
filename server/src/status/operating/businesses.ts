import type { ListedBusiness } from '../../accounts/businesses/overview.ts'
import { formatId } from '../../core/ids.ts'
import { operation, type Tier, tiers } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { UsageNow } from '../../usage/overview.ts'
import { forOperator, readHints } from './common.ts'
import { type OperatorIdentity, refuseOthers } from './operator-only.ts'

export const operatorBusinesses = (identity: OperatorIdentity) =>
  operation({
    ...forOperator,
    reach: 'person',
    appOnly: true,
    name: 'operator.businesses',
    title: 'List all businesses',
    summary:
      'To the operator: every business with its owners, tier, contacts and what it sent this month, newest first.',
    hints: readHints,
    rest: 'GET /v1/operator/businesses',
    input: {
      ...pageInput,
      search: Type.Optional(
        Type.String({ maxLength: 200, description: 'Part of a name or of a member’s address.' }),
      ),
      tier: Type.Optional(Type.Enum(tiers)),
    },
    output: Type.Object({
      businesses: Type.Array(
        Type.Object({
          business_id: Type.String(),
          name: Type.String(),
          tier: Type.Unsafe<Tier>(Type.String()),
          owners: Type.Array(Type.String(), { description: 'At most three.' }),
          members: Type.Integer(),
          created_at: Type.String(),
          contacts: Type.Integer(),
          emails_this_month: Type.Integer(),
          sms_this_month: Type.Integer(),
        }),
      ),
      next_cursor: nextCursor,
    }),

    async run({ db, principal, now }, { search = '', tier, ...asked }) {
      const refused = await refuseOthers(identity, { db, principal })
      if (refused) throw refused
      const page = pageOf('business', asked)
      const { listBusinesses } = await import('../../accounts/businesses/overview.ts')
      const { usageOfEach } = await import('../../usage/overview.ts')
      const text = search.trim().toLowerCase()
      const rows = await listBusinesses(db, { ...page, search: text, tier: tier ?? null })
      const { shown, next } = pageFrom('business', rows, page, (row) => viewOf(row))
      const used = await usageOfEach(
        db,
        shown.map(({ id }) => id),
        now,
      )
      return { businesses: shown.map((row) => viewOf(row, used.get(row.id))), ...next }
    },
  })

function viewOf(row: ListedBusiness, used: UsageNow = { contacts: 0, emails: 0, sms: 0 }) {
  return {
    business_id: formatId('business', row.id),
    name: row.name,
    tier: row.tier,
    owners: row.owners,
    members: row.members,
    created_at: row.createdAt.toISOString(),
    contacts: used.contacts,
    emails_this_month: used.emails,
    sms_this_month: used.sms,
  }
}
