import { formatId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { type PasskeySite, relyingPartyOf } from './answer.ts'
import { passkeysOf } from './passkey.ts'

export function passkeyList({ site }: { site: PasskeySite }) {
  return operation({
    name: 'passkey.list',
    title: 'List passkeys',
    summary: 'The passkeys by which the person signs in without a mail, oldest first.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/passkeys',
    input: {},
    output: Type.Object({
      passkeys: Type.Array(
        Type.Object({
          passkey_id: Type.String(),
          name: Type.String(),
          created_at: Type.String(),
          last_used_at: Type.Union([Type.String(), Type.Null()]),
        }),
      ),
      offered: Type.Boolean({ description: 'Whether browsers offer passkeys for this address.' }),
    }),

    async run({ db, principal }) {
      const own = await passkeysOf(db, principal.userId)
      const passkeys = own.map(({ id, name, createdAt, lastUsedAt }) => ({
        passkey_id: formatId('passkey', id),
        name,
        created_at: createdAt.toISOString(),
        last_used_at: lastUsedAt?.toISOString() ?? null,
      }))
      return { passkeys, offered: relyingPartyOf(site) !== undefined }
    },
  })
}
