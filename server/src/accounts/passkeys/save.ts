import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { namePasskey, noSuchPasskey, passkeyIdIn, passkeyIdInput, passkeyName } from './passkey.ts'

export const passkeySave = operation({
  name: 'passkey.save',
  title: 'Rename a passkey',
  summary: 'Gives a passkey of the person another name.',
  reach: 'person',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'PATCH /v1/passkeys/:passkey_id',
  input: { passkey_id: passkeyIdInput, name: passkeyName },
  output: Type.Object({}),

  async run({ principal, write }, { passkey_id, name }) {
    const passkey = { id: passkeyIdIn(passkey_id), name: name.trim() }
    return write(async (tx) => {
      if ((await namePasskey(tx, principal.userId, passkey)) === 1) return {}
      throw noSuchPasskey(passkey_id)
    })
  },
})
