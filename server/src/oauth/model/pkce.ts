/** Proof Key for Code Exchange (RFC 7636), method S256 only. */
import { type Refusal, refuse } from '../../core/errors.ts'
import { sha256 } from '../../lib/crypto/vault.ts'

/** Base64url of a SHA-256: 43 characters, no padding (section 4.2). */
export function isChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** Computes the challenge of a verifier, whose alphabet includes `.` and `~` (section 4.1). */
export function challengeOf(verifier: string): string | Refusal {
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) {
    const form = 'code_verifier must be 43 to 128 characters of A-Z a-z 0-9 - . _ ~'
    return refuse('invalid_request', form, { field: 'code_verifier' })
  }
  return sha256(verifier).toString('base64url')
}
