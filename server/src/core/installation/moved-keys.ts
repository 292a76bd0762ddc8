/** The keys of moved businesses, which came from other installations. They are read at the start. */
import type { MovedKey, Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Id } from '../ids.ts'

/** Returns none from a database whose migrations are older than moved keys. */
export async function readMovedKeys(
  db: Db,
  vault: Pick<Vault, 'open'>,
): Promise<readonly MovedKey[]> {
  const { there } = await db.one<{ there: boolean }>(
    sql`select to_regclass('moved_keys') is not null as there`,
  )
  if (!there) return []
  const rows = await db.all<MovedName & { sealed: Buffer }>(sql`
    select id, purpose, ordinal, sealed from moved_keys order by id, purpose, ordinal
  `)
  return rows.map(({ sealed, ...name }) => ({
    businessId: name.id,
    purpose: name.purpose,
    key: vault.open(contextOf(name), sealed),
  }))
}

interface MovedName {
  id: Id<'business'>
  purpose: string
  ordinal: number
}

/** Keys of one purpose come in the order of their places. */
export async function saveMovedKeys(
  db: Db,
  vault: Pick<Vault, 'seal'>,
  {
    id,
    keys,
    now,
  }: { id: Id<'business'>; keys: readonly Omit<MovedKey, 'businessId'>[]; now: Date },
): Promise<void> {
  const places = new Map<string, number>()
  for (const { purpose, key } of keys) {
    const index = places.get(purpose) ?? 0
    places.set(purpose, index + 1)
    const sealed = vault.seal(contextOf({ id, purpose, ordinal: index }), key)
    await db.run(sql`
      insert into moved_keys (id, purpose, ordinal, sealed, moved_at)
      values (${id}, ${purpose}, ${index}, ${sealed}, ${now})
    `)
  }
}

export function deleteMovedKeys(db: Db, id: Id<'business'>): Promise<number> {
  return db.run(sql`delete from moved_keys where id = ${id}`)
}

/** Whether a process runs that started before the keys of this business came, and lacks them. */
export async function lacksMovedKeys(
  db: Db,
  id: Id<'business'>,
  seenSince: Date,
): Promise<boolean> {
  const node = await db.maybe(sql`
    select from nodes n
    where n.stopped_at is null and n.seen_at > ${seenSince} and n.started_at < (
      select max(moved_at) from moved_keys where id = ${id}
    )
    limit 1
  `)
  return node !== undefined
}

const contextOf = ({ id, purpose, ordinal }: MovedName) => `moved_keys:${id}:${purpose}:${ordinal}`
