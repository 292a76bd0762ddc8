import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { checkFactorLeft, checkOwnFactor, recordOfPerson } from '../factors/own-factor.ts'
import { checkNotBreakGlass } from '../identities/company-only.ts'
import { lockUser } from '../members/user-queries.ts'
import type { PasskeyNotices } from './notice.ts'
import { deletePasskey, noSuchPasskey, passkeyIdIn, passkeyIdInput } from './passkey.ts'

export function passkeyRemove({
  notices,
  isRequired,
}: {
  notices: PasskeyNotices
  isRequired: boolean
}) {
  return operation({
    name: 'passkey.remove',
    title: 'Remove a passkey',
    summary: 'The person can no longer sign in with this passkey. They are told by mail.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'A passkey is removed',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'DELETE /v1/passkeys/:passkey_id',
    input: { passkey_id: passkeyIdInput },
    output: Type.Object({}),

    async run(context, { passkey_id }) {
      await checkOwnFactor(context)
      const { principal, write, now, origin } = context
      const { userId } = principal
      const id = passkeyIdIn(passkey_id)
      return write(async (tx) => {
        await lockUser(tx, userId)
        await checkNotBreakGlass(tx, id)
        const removed = await deletePasskey(tx, userId, id)
        if (!removed) throw noSuchPasskey(passkey_id)
        await checkFactorLeft(tx, { userId, isRequired })
        await recordOfPerson(tx, { userId, action: 'passkey.remove', origin }, now)
        await notices.queue(tx, { userId, event: 'removed', name: removed.name, now })
        return {}
      })
    },
  })
}
