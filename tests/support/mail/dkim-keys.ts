/** DKIM keys with their DNS records. */
import { generateKeyPairSync } from 'node:crypto'
import type { DkimKey } from 'crier-server/lib/email/dkim.ts'
import type { KeyRecords } from './dkim-verifiers.ts'

export interface TestKey {
  key: DkimKey
  records: KeyRecords
}

export function rsaKey(domain = 'example.com', selector = 's1'): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  return {
    key: { domain, selector, algorithm: 'rsa-sha256', privateKey },
    records: { [`${selector}._domainkey.${domain}`]: `v=DKIM1; k=rsa; p=${p}` },
  }
}

/** RFC 8463 section 4: the bare key of 32 bytes, without its ASN.1. */
export function ed25519Key(domain = 'example.com', selector = 'e1'): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const p = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
  return {
    key: { domain, selector, algorithm: 'ed25519-sha256', privateKey },
    records: { [`${selector}._domainkey.${domain}`]: `v=DKIM1; k=ed25519; p=${p}` },
  }
}
