/** An owner puts their own name to a key of another member, so that it outlives their membership. */
import { queueRightsBack } from '../../accounts/identities/holds.ts'
import { withAccessChange } from '../../core/access-changes.ts'
import type { Id } from '../../core/ids.ts'
import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { isKeyOf } from './key-queries.ts'
import { noSuchKey } from './revoke.ts'

export const keyTakeOver = operation({
  name: 'key.take_over',
  title: 'Take over an API key',
  summary:
    'Makes the caller the maker of an API key in place of another member: it goes on also where theirs are held, or once they are removed. Whoever has a copy of the key can still use it.',
  reach: 'business',
  scope: 'meta:read',
  role: 'owner',
  tier: 'free',
  appOnly: true,
  freshSignIn: 'An API key is taken over',
  freshFactor: 'keys',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'POST /v1/keys/:key_id/take-over',
  input: { key_id: Type.String({ maxLength: 40, description: 'cnx_…' }) },
  output: Type.Object({ key_id: Type.String() }),

  async run({ business, principal, now, write, origin }, { key_id }) {
    const id = parseId('connection', key_id)
    if (!id) throw noSuchKey(key_id)
    return write(async (tx) => {
      if (!(await isKeyOf(tx, business.id, id))) throw noSuchKey(key_id)
      const entry = { businessId: business.id, action: 'key.take_over', subject: key_id, origin }
      await recordAudit(tx, [entry], now)
      const { userId } = principal
      await setMaker(tx, business.id, { id, userId, now })
      await queueRightsBack(tx, { businessId: business.id, userId }, now)
      return { key_id }
    })
  },
})

async function setMaker(
  tx: Tx,
  businessId: Id<'business'>,
  { id, userId, now }: { id: Id<'connection'>; userId: Id<'user'>; now: Date },
): Promise<void> {
  await tx.run(sql`
    update api_keys set made_by = ${userId} where business_id = ${businessId} and id = ${id}
  `)
  const change = sql`
    update connections set user_id = ${userId}
    where id = ${id} and business_ids = array[${businessId}::uuid]
    returning id as subject
  `
  await tx.run(withAccessChange(change, now))
}
