/** The installation's secret within a backup, which only a passphrase opens. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '../../lib/db/start-error.ts'

export const secretName = 'secret.sealed.json'

interface SealedSecret {
  /** The cost of scrypt (RFC 7914): 64 MB and a fifth of a second per try. */
  scrypt: { N: number; r: number; p: number }
  salt: string
  nonce: string
  sealed: string
}

const costs = { N: 65_536, r: 8, p: 1 }
const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
const keyOf = (passphrase: string, salt: Buffer, cost: SealedSecret['scrypt']) =>
  derive(passphrase.normalize('NFKC'), salt, 32, { ...cost, maxmem: 256 * cost.N * cost.r })

/** AES-256-GCM appends its tag, by which a wrong passphrase is detected. */
const tagBytes = 16

export async function sealSecret(folder: string, secret: string, passphrase: string) {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt, costs), nonce)
  const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  const sealed: SealedSecret = {
    scrypt: costs,
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    sealed: body.toString('base64'),
  }
  const file = path.join(folder, secretName)
  await writeFile(file, `${JSON.stringify(sealed)}\n`, { mode: 0o600, flush: true })
}

/** Throws a StartError that says what to do if the passphrase is missing or wrong. */
export async function openSecret(text: string, passphrase: string | undefined): Promise<string> {
  if (passphrase === undefined) {
    throw new StartError(
      'The secret in this backup is sealed by a passphrase. Set BACKUP_PASSPHRASE to it, or CRIER_SECRET to the secret itself.',
    )
  }
  const { scrypt: cost, salt, nonce, sealed } = JSON.parse(text) as SealedSecret
  const key = await keyOf(passphrase, Buffer.from(salt, 'base64'), cost)
  const body = Buffer.from(sealed, 'base64')
  const gcm = { authTagLength: tagBytes }
  const opening = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'), gcm)
  opening.setAuthTag(body.subarray(-tagBytes))
  try {
    return Buffer.concat([opening.update(body.subarray(0, -tagBytes)), opening.final()]).toString()
  } catch {
    throw new StartError(
      'The passphrase does not open the secret in this backup. Try the one that was set when the backup was made, or set CRIER_SECRET to the secret itself.',
    )
  }
}
