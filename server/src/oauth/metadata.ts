/** The metadata documents by which clients discover the server: RFC 8414 and RFC 9728. */
import { scopes } from '../core/operation.ts'
import type { Addresses } from './model/addresses.ts'

/** The authorization server's metadata, which is the same at every path. */
export function authorizationServerMetadata(
  addresses: Addresses,
  options: { clientDocuments: boolean },
): Record<string, unknown> {
  return {
    issuer: addresses.issuer,
    authorization_endpoint: addresses.authorization,
    token_endpoint: addresses.token,
    registration_endpoint: addresses.registration,
    revocation_endpoint: addresses.revocation,
    jwks_uri: addresses.jwks,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    // RFC 9207.
    authorization_response_iss_parameter_supported: true,
    ...(options.clientDocuments && { client_id_metadata_document_supported: true }),
    service_documentation: addresses.documentation,
    // RFC 9728 section 4.
    protected_resources: [addresses.toolEndpoint, addresses.toolAlias, addresses.gateway],
  }
}

/** The metadata of one resource. `resource` must equal exactly the URL that clients call. */
export function protectedResourceMetadata(
  addresses: Addresses,
  resource: string,
): Record<string, unknown> {
  return {
    resource,
    authorization_servers: [addresses.issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Crier',
    resource_documentation: addresses.documentation,
  }
}
