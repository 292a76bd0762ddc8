/** An app's storage for the MCP SDKs: in memory and unchanged, as their documentation requires. */
import { randomUUID } from 'node:crypto'
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

export class KeptProvider implements OAuthClientProvider {
  readonly redirectUrl = 'http://localhost:41873/callback'
  readonly clientMetadata
  client: StoredOAuthClientInformation | undefined
  kept: StoredOAuthTokens | undefined
  discovery: OAuthDiscoveryState | undefined
  /** The last address that the person was sent to, and the state that must come back. */
  sentTo: URL | undefined
  expectedState = ''
  #verifier = ''

  constructor(name: string) {
    this.clientMetadata = {
      client_name: name,
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
  }

  state(): string {
    this.expectedState = randomUUID()
    return this.expectedState
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.client
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.client = client
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.kept
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.kept = tokens
  }

  redirectToAuthorization(url: URL): void {
    this.sentTo = url
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovery = state
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'client') this.client = undefined
    if (scope === 'all' || scope === 'tokens') this.kept = undefined
    if (scope === 'all' || scope === 'discovery') this.discovery = undefined
  }

  /** Makes the next call get a 401, as for an expired access token. */
  spoilAccessToken(): void {
    if (this.kept) this.kept = { ...this.kept, access_token: `${this.kept.access_token}x` }
  }
}
