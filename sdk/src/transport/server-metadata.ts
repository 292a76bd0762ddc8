/** Where a Crier server's endpoints are, as its two discovery documents say. */
import { CrierError } from '../errors/error.ts'
import { asFields } from '../errors/problem.ts'

/** The endpoints of one server, and when they were learnt. */
export interface ServerMetadata {
  /** Compared with `iss` of a callback (RFC 9207). */
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  registrationEndpoint: string
  /** RFC 7009; absent where a server has none. */
  revocationEndpoint?: string
  /** The tool-call endpoint: `{app_url}/api/functions/svc-mcp`. */
  toolEndpoint: string
  /** Every scope the server knows; empty where it does not say. */
  scopes: string[]
  /** The server promises `iss` on every callback, so one without it is forged. */
  sendsIssuer: boolean
  /** Milliseconds since 1970. */
  fetchedAt: number
}

const toolPath = '/api/functions/svc-mcp'

/** The address a person gives: a server's origin, or its tool-call endpoint. */
export interface Address {
  origin: string
  /** Set where the address names the endpoint itself. */
  endpoint: string | undefined
}

/** Takes an address apart; throws `invalid_request` where it is none. */
export function parseAddress(url: string): Address {
  const address = safeUrl(url)
  if (!address || address.username || address.search || address.hash) {
    throw new CrierError({
      code: 'invalid_request',
      message: `"${url}" is not a server's address. Give one such as https://crier.example.com.`,
    })
  }
  const bare = address.pathname === '/'
  return { origin: address.origin, endpoint: bare ? undefined : address.href }
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
 * A document reached over https must not lead to an endpoint without it: the
 * tokens would cross the network in the clear.
 */
function checked(address: Address, key: string, value: unknown): string {
  const url = safeUrl(value)
  if (!url || (address.origin.startsWith('https:') && url.protocol !== 'https:')) {
    throw new CrierError({
      code: 'bad_response',
      message: `${address.origin} is not a Crier server: its discovery document has no usable ${key}.`,
    })
  }
  // As the document spells it: an issuer is compared to the letter.
  return String(value)
}

// `URL.parse` came with Node 22; this package runs on 20.
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
