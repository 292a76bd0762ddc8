/** API keys made without a sign-in, for tests that need many, or of every kind. */

import { saveTwin } from 'crier-server/accounts/businesses/twin.ts'
import { type Id, newId } from 'crier-server/core/ids.ts'
import { scopes } from 'crier-server/core/operation.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { newKey } from 'crier-server/oauth/api-keys/api-key.ts'
import { insertKey, type KeyToSave } from 'crier-server/oauth/api-keys/key-queries.ts'
import { newMember } from './grants.ts'

interface KeyOptions extends Partial<Omit<KeyToSave, 'id' | 'hash'>> {
  businessId: Id<'business'>
}

/** Makes a key, of a new person unless `userId` is given. */
export async function newApiKey(db: Database, { businessId, ...options }: KeyOptions) {
  const { secret, hash } = newKey()
  const key: KeyToSave = {
    userId: options.userId ?? (await newMember(db, { businesses: [businessId] })),
    name: 'A program',
    scopes,
    role: 'owner',
    networks: [],
    recipientsPerDay: 1_000,
    transactionalPerDay: null,
    expiresAt: null,
    isTest: false,
    ...options,
    id: newId('connection'),
    hash,
  }
  await db.tx(async (tx) => {
    if (key.isTest) await saveTwin(tx, businessId, new Date())
    await insertKey(tx, businessId, key, new Date())
  })
  return { secret, key }
}
