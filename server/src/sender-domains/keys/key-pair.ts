/** The keys that sign a domain's mail. They are made here, sealed, and never shown. */
import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Slot } from '../model/domain.ts'

export type DkimAlgorithm = 'rsa-sha256' | 'ed25519-sha256'

/** A slot's key as it is stored. */
export interface SealedPair {
  publicKey: string
  sealedPrivate: Buffer
}

export interface NewKeys {
  slot: Slot
  rsa: SealedPair
  ed25519: SealedPair | null
}

const generate = promisify(generateKeyPair)

/** Every verifier accepts this length. Longer keys do not fit one DNS packet (RFC 8301, 3.2). */
const rsaBits = 2048

type Sealer = Pick<Vault, 'seal' | 'open'>

/** Always makes RSA. Many large mailboxes do not verify ed25519, so it is added to RSA. */
export async function makeKeys(
  vault: Sealer,
  domainId: Id<'domain'>,
  request: { slot: Slot; ed25519: boolean },
): Promise<NewKeys> {
  const { slot } = request
  const rsa = await generate('rsa', { modulusLength: rsaBits })
  const spki = rsa.publicKey.export({ type: 'spki', format: 'der' })
  return {
    slot,
    rsa: sealed(vault, contextOf(domainId, slot, 'rsa-sha256'), rsa.privateKey, spki),
    ed25519: request.ed25519 ? await makeEd25519(vault, domainId, slot) : null,
  }
}

async function makeEd25519(vault: Sealer, domainId: Id<'domain'>, slot: Slot): Promise<SealedPair> {
  const { publicKey, privateKey } = await generate('ed25519', {})
  // RFC 8463, section 4: only the 32 bytes at the end of the SPKI form.
  const bare = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  return sealed(vault, contextOf(domainId, slot, 'ed25519-sha256'), privateKey, bare)
}

export function openKey(
  vault: Sealer,
  domainId: Id<'domain'>,
  key: { slot: Slot; algorithm: DkimAlgorithm; sealedPrivate: Buffer },
): KeyObject {
  const der = vault.open(contextOf(domainId, key.slot, key.algorithm), key.sealedPrivate)
  return createPrivateKey({ key: der, type: 'pkcs8', format: 'der' })
}

function sealed(vault: Sealer, context: string, key: KeyObject, published: Buffer): SealedPair {
  const der = key.export({ type: 'pkcs8', format: 'der' })
  return { publicKey: published.toString('base64'), sealedPrivate: vault.seal(context, der) }
}

/** Under which a private key is sealed. */
export function contextOf(domainId: string, slot: number, algorithm: DkimAlgorithm): string {
  return `domain_keys:${domainId}:${slot}:${algorithm}`
}

/** `s1` and `e1` for the first slot. */
export function selectorOf(slot: Slot, algorithm: DkimAlgorithm): string {
  return `${algorithm === 'rsa-sha256' ? 's' : 'e'}${slot}`
}
