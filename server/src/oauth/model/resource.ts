/** The `resource` parameter (RFC 8707), as clients send it in practice. */
import { type Refusal, refuse } from '../../core/errors.ts'
import type { Addresses } from './addresses.ts'

/**
 * Every token is valid at both entry points, so the parameter selects nothing. It must only name
 * one of them: exactly, with a trailing slash, or by its origin alone.
 */
export function checkResource(
  addresses: Addresses,
  resource: string | undefined,
): Refusal | undefined {
  if (resource === undefined) return undefined
  const endpoints = [addresses.toolEndpoint, addresses.toolAlias, addresses.gateway]
  const names = [...endpoints, ...endpoints.map((endpoint) => new URL(endpoint).origin)]
  if (names.some((name) => resource === name || resource === `${name}/`)) return undefined
  return refuse(
    'invalid_target',
    `resource is not an address that tokens of this server are valid for: send ${addresses.toolEndpoint}, or leave it out.`,
    { field: 'resource' },
  )
}
