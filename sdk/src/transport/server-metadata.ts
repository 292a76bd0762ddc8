/** The endpoints of a Crier server, from its two discovery documents. */
import { CrierError } from '../errors/error.ts'
import { asFields } from '../errors/problem.ts'

/** The endpoints of one server, and when they were fetched. */
export interface ServerMetadata {
  /** Compared with `iss` of a callback (RFC 9207). */
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  registrationEndpoint: string
  /** RFC 7009; absent where the server has no such endpoint. */
  revocationEndpoint?: string
  /** The tool-call endpoint: `{app_url}/api/functions/svc-mcp`. */
  toolEndpoint: string
  /** Every scope that the server knows; empty where it does not list them. */
  scopes: string[]
  /** The server promises `iss` on every callback, so a callback without it is forged. */
  sendsIssuer: boolean
  /** Milliseconds since 1970. */
  fetchedAt: number
}

const toolPath = '/api/functions/svc-mcp'

/** The URL that a person enters: a server's origin, or its tool-call endpoint. */
export interface Address {
  origin: string
  /** What stands before `/v1/`: the origin, with the path of a proxy where there is one. */
  base: string
  /** Set where the URL is that of the endpoint itself. */
  endpoint: string | undefined
}

/** Parses a URL; throws `invalid_request` where it is invalid. */
export function parseAddress(url: string): Address {
  const address = safeUrl(url)
  if (!address || address.username || address.search || address.hash) {
    throw new CrierError({
      code: 'invalid_request',
      message: `"${url}" is not a server's address. Give one such as https://crier.example.com.`,
    })
  }
  const bare = address.pathname === '/'
  const prefix = /^(.*)\/api\/functions\/[a-z0-9]+-mcp\/?$/.exec(address.pathname)?.[1] ?? ''
  return {
    origin: address.origin,
    base: address.origin + prefix,
    endpoint: bare ? undefined : address.href,
  }
}

/** Reads both documents: RFC 8414 for the first, RFC 9728 for the second, which may be absent. */
export function readMetadata(
  address: Address,
  authorization: unknown,
  resource: unknown,
  now: number,
): ServerMetadata {
  const fields = asFields(authorization)
  const endpoint = (key: string): string => checked(address, key, fields[key])
  const named = asFields(resource)['resource']
  return {
    issuer: checked(address, 'issuer', fields['issuer']),
    authorizationEndpoint: endpoint('authorization_endpoint'),
    tokenEndpoint: endpoint('token_endpoint'),
    registrationEndpoint: endpoint('registration_endpoint'),
    ...(fields['revocation_endpoint'] !== undefined && {
      revocationEndpoint: endpoint('revocation_endpoint'),
    }),
    toolEndpoint:
      address.endpoint ??
      (named === undefined ? address.origin + toolPath : checked(address, 'resource', named)),
    scopes: strings(fields['scopes_supported']),
    sendsIssuer: fields['authorization_response_iss_parameter_supported'] === true,
    fetchedAt: now,
  }
}

/**
 * A document fetched over https must not name an endpoint without it: the tokens would cross the
 * network unencrypted.
 */
function checked(address: Address, key: string, value: unknown): string {
  const url = safeUrl(value)
  if (!url || (address.origin.startsWith('https:') && url.protocol !== 'https:')) {
    throw new CrierError({
      code: 'bad_response',
      message: `${address.origin} is not a Crier server: its discovery document has no usable ${key}.`,
    })
  }
  // In the document's own spelling, because an issuer is compared character by character.
  return String(value)
}

// `URL.parse` exists since Node 22; this package runs on 20.
function safeUrl(value: unknown): URL | undefined {
  try {
    const url = new URL(String(value))
    return /^https?:$/.test(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
