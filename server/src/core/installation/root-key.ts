/**
 * The key from which all others are derived. It is random, and stored in the database sealed with
 * CRIER_SECRET: a process with another secret cannot open it, and does not start. A new secret
 * seals the same key again, so that hashes of addresses whose text is gone stay valid.
 */
import { createVault, randomToken, type Vault } from '../../lib/crypto/vault.ts'
import { StartError } from '../../lib/db/start-error.ts'
import type { Db } from '../../lib/db/types.ts'
import { readMovedKeys } from './moved-keys.ts'
import { insertRootKey, isSetUp, type RootKeyRow, readRootKey, replaceRootKey } from './queries.ts'

const sealContext = 'installation:root-key'

/** Opens the vault of this installation. Throws a StartError if the secret is not its own. */
export async function openVault(db: Db, secret: string, now: Date): Promise<Vault> {
  const rootKey = await openRootKey(db, secret, now)
  return createVault(rootKey, await readMovedKeys(db, createVault(rootKey)))
}

/** Whether a service has ever started with this database. */
export const hasRootKey = isSetUp

async function openRootKey(db: Db, secret: string, now: Date): Promise<string> {
  const row = await readRootKey(db)
  if (!row) {
    await insertRootKey(db, { seals: [sealed(randomToken(), secret)] }, now)
    return openRootKey(db, secret, now)
  }
  if (row.seals.length > 0) return unsealed(row, secret) ?? refuseSecret()
  if (row.sample && !opensSample(row.sample, secret)) refuseSecret()
  await replaceRootKey(db, { before: row, after: { seals: [sealed(secret, secret)] }, now })
  // Another process with another secret may have been faster.
  return openRootKey(db, secret, now)
}

/** The root key as it is stored, sealed by each secret that opens it. */
export async function readRootSeals(db: Db): Promise<readonly string[]> {
  return (await readRootKey(db))?.seals ?? []
}

/** Whether the secret opens one of these seals. */
export const opensRootSeals = (seals: readonly string[], secret: string): boolean =>
  unsealed({ seals: [...seals] }, secret) !== undefined

/** Lets a second secret open the installation as well, until `keepSecret` removes the first. */
export async function addSecret(
  db: Db,
  { secret, next }: { secret: string; next: string },
  now: Date,
): Promise<void> {
  const rootKey = await openRootKey(db, secret, now)
  await change(db, now, ({ seals }) => [...seals, sealed(rootKey, next)])
}

/** Removes every other secret, and returns how many there were. */
export async function keepSecret(db: Db, secret: string, now: Date): Promise<number> {
  const rootKey = await openRootKey(db, secret, now)
  const before = await change(db, now, () => [sealed(rootKey, secret)])
  return before.seals.filter((seal) => opened(seal, secret) === undefined).length
}

async function change(
  db: Db,
  now: Date,
  sealsAfter: (before: RootKeyRow) => string[],
): Promise<RootKeyRow> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const before = await readRootKey(db)
    if (!before) break
    if (await replaceRootKey(db, { before, after: { seals: sealsAfter(before) }, now })) {
      return before
    }
  }
  throw new StartError('Another process changes the secret at this moment. Try again.')
}

const sealed = (rootKey: string, secret: string): string =>
  createVault(secret).seal(sealContext, Buffer.from(rootKey)).toString('base64')

const unsealed = ({ seals }: RootKeyRow, secret: string): string | undefined =>
  seals.map((seal) => opened(seal, secret)).find((rootKey) => rootKey !== undefined)

function opened(seal: string, secret: string): string | undefined {
  try {
    return createVault(secret).open(sealContext, Buffer.from(seal, 'base64')).toString()
  } catch {
    return undefined
  }
}

function opensSample({ context, sealed }: { context: string; sealed: string }, secret: string) {
  try {
    return createVault(secret).open(context, Buffer.from(sealed, 'base64')).length > 0
  } catch {
    return false
  }
}

function refuseSecret(): never {
  throw new StartError(
    'The secret is not the one that this database was set up with: what is sealed in it cannot be opened, and people who opted out would not be recognised. Set CRIER_SECRET to that of the other nodes; or, where it is kept in DATA_DIR/secret, put that file back from a backup.',
  )
}
