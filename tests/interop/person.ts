/** A person's actions while a client works. */
import assert from 'node:assert/strict'
import { approve } from '../support/clients/sign-in.ts'

export interface SentAway {
  sentTo: URL | undefined
  expectedState: string
}

/**
 * The person follows the address that a client sent them to. The app compares `state` before it
 * uses the code, and gets the code with the issuer that the redirect names.
 */
export async function followAsApp(
  app: SentAway,
  person: { email: string; untick?: readonly string[] },
  issuer: string,
): Promise<{ code: string; iss: string }> {
  assert.ok(app.sentTo, 'the client sent the person to sign in')
  assert.equal(app.sentTo.searchParams.get('code_challenge_method'), 'S256')
  const callback = await approve(app.sentTo, person)
  assert.equal(callback.searchParams.get('state'), app.expectedState)
  assert.equal(callback.searchParams.get('iss'), issuer)
  return { code: callback.searchParams.get('code') ?? '', iss: issuer }
}

/** Ends a connection for clients that cannot do it themselves (RFC 7009). */
export async function endConnection(
  issuer: string,
  clientId: string,
  refreshToken: string,
): Promise<void> {
  const metadata = await fetch(`${issuer}/.well-known/oauth-authorization-server`)
  const { revocation_endpoint } = (await metadata.json()) as { revocation_endpoint: string }
  const answer = await fetch(revocation_endpoint, {
    method: 'POST',
    body: new URLSearchParams({ token: refreshToken, client_id: clientId }),
  })
  assert.equal(answer.status, 200)
}
