/** Rotates CRIER_SECRET while the service runs. Encrypted and hashed data stays unchanged. */
import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { secretOf } from '../config/installation-secret.ts'
import type { Config } from '../config.ts'
import { addSecret, keepSecret } from '../core/installation/root-key.ts'
import { randomToken } from '../lib/crypto/vault.ts'
import type { Database } from '../lib/db/types.ts'
import type { Clock } from '../lib/time/clock.ts'

interface Parts {
  db: Database
  config: Config
  clock: Clock
}

/** A file can be replaced here. The operator has to change an environment variable on each node. */
export async function rotateSecret({ db, config, clock }: Parts): Promise<Record<string, unknown>> {
  const next = randomToken()
  await addSecret(db, { secret: secretOf(config), next }, clock.now())
  if (config.secret !== undefined) {
    return {
      new_secret: next,
      next: 'Set CRIER_SECRET to it on every node and restart them one by one; both work until then. Afterwards: crier secret finish',
    }
  }
  const file = path.join(config.dataDir, 'secret')
  const draft = `${file}.${process.pid}.${randomToken()}`
  // The new file is written, synced and then renamed, so the old secret is valid until then.
  writeFileSync(draft, `${next}\n`, { flag: 'wx', mode: 0o600, flush: true })
  renameSync(draft, file)
  await keepSecret(db, next, clock.now())
  return { rotated: file, next: 'Keep a new copy of it; the old one opens nothing any more.' }
}

export async function finishSecret({ db, config, clock }: Parts): Promise<Record<string, unknown>> {
  return { ended: await keepSecret(db, secretOf(config), clock.now()) }
}
