import { formatId, type Id } from '../../core/ids.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { Ordered } from '../../usage/connection-limit.ts'
import { limitFields } from '../connections/limits-view.ts'
import type { ApiKey } from './api-key.ts'

export const keyView = Type.Object({
  key_id: Type.String({ description: 'cnx_…: a key is a connection of its own.' }),
  name: Type.String(),
  made_by: Type.Union([Type.String(), Type.Null()]),
  made_by_you: Type.Boolean(),
  held: Type.Boolean({
    description: 'Its calls are refused: the company no longer confirms its maker.',
  }),
  scopes: Type.Array(Type.String()),
  ...limitFields,
  role: Type.String(),
  test: Type.Boolean({ description: 'It acts in test mode alone.' }),
  allowed_networks: Type.Array(Type.String()),
  recipients_per_day: Type.Integer(),
  created_at: Type.String(),
  expires_at: Type.Union([Type.String(), Type.Null()]),
  last_used_at: Type.Union([Type.String(), Type.Null()]),
})

export function viewOfKey(
  key: ApiKey,
  { ordered, userId }: { ordered: Ordered | undefined; userId: Id<'user'> },
) {
  return {
    key_id: formatId('connection', key.id),
    name: key.name,
    made_by: key.madeBy,
    made_by_you: key.madeById === userId,
    held: key.isHeld,
    scopes: key.scopes,
    withheld_scopes: key.withheldScopes,
    role: key.role,
    test: key.isTest,
    allowed_networks: key.networks,
    recipients_per_day: key.recipientsPerDay,
    recipients_last_day: ordered?.every ?? 0,
    transactional_per_day: key.transactionalPerDay,
    transactional_last_day: ordered?.transactional ?? 0,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  }
}
