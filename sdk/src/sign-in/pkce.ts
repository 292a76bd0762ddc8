/** Random values and PKCE (RFC 7636) by the method S256. */

/** A verifier and the challenge derived from it. */
export interface Pkce {
  verifier: string
  challenge: string
}

/** A fresh verifier: 32 random bytes, base64url without padding (43 characters). */
export async function newPkce(): Promise<Pkce> {
  const verifier = randomText()
  return { verifier, challenge: await challengeOf(verifier) }
}

/** Base64url without padding of the verifier's SHA-256. */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return base64url(new Uint8Array(digest))
}

/** 32 random bytes as 43 characters that need no escaping in a URL. */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

/**
 * Whether two texts are equal, in a time that depends only on their lengths, so that a stranger who
 * can try values learns nothing from how long each try takes.
 */
export function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < b.length; i++) difference |= (a.charCodeAt(i) || 0) ^ b.charCodeAt(i)
  return difference === 0
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
