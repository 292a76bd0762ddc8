import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import type { DkimKey } from '../../lib/email/dkim.ts'
import type { Domain } from '../model/domain.ts'
import { isRight } from '../model/record.ts'
import { openKey, selectorOf } from './key-pair.ts'
import { findSigningKey } from './key-queries.ts'

/** The opened keys in use: always RSA, and ed25519 if its record was correct. */
export async function signingKeys(
  { db, vault }: { db: Db; vault: Vault },
  domain: Domain,
): Promise<DkimKey[]> {
  const owner = { businessId: domain.businessId, domainId: domain.id }
  const found = await findSigningKey(db, owner)
  if (!found) throw new Error(`the domain ${domain.id} has no key to sign with`)
  const { slot, rsaPrivate, ed25519Private } = found
  const key = (algorithm: DkimKey['algorithm'], sealedPrivate: Buffer): DkimKey => ({
    domain: domain.name,
    selector: selectorOf(slot, algorithm),
    algorithm,
    privateKey: openKey(vault, domain.id, { slot, algorithm, sealedPrivate }),
  })
  const isSeen = isRight(domain.report[selectorOf(slot, 'ed25519-sha256')])
  return [
    key('rsa-sha256', rsaPrivate),
    ...(ed25519Private && isSeen ? [key('ed25519-sha256', ed25519Private)] : []),
  ]
}
