import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { PasskeyNotices } from './notice.ts'
import { deletePasskey, noSuchPasskey, passkeyIdIn, passkeyIdInput } from './passkey.ts'

export function passkeyRemove({ notices }: { notices: PasskeyNotices }) {
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

    async run({ principal, write, now }, { passkey_id }) {
      const { userId } = principal
      const id = passkeyIdIn(passkey_id)
      return write(async (tx) => {
        const removed = await deletePasskey(tx, userId, id)
        if (!removed) throw noSuchPasskey(passkey_id)
        await notices.queue(tx, { userId, event: 'removed', name: removed.name, now })
        return {}
      })
    },
  })
}
