/** The `resource` parameter, RFC 8707, as real clients send it. */
import { type Refusal, refuse } from '../../core/errors.ts'
import type { Addresses } from './addresses.ts'

/**
 * Every token opens both doors, so the parameter chooses nothing; it must only name one
 * of them: to the letter, with a trailing slash, or by its origin alone.
 */
export function checkResource(
  addresses: Addresses,
  resource: string | undefined,
): Refusal | undefined {
  if (resource === undefined) return undefined
  const doors = [addresses.toolEndpoint, addresses.toolAlias, addresses.gateway]
  const names = [...doors, ...doors.map((door) => new URL(door).origin)]
  if (names.some((name) => resource === name || resource === `${name}/`)) return undefined
  return refuse(
    'invalid_target',
    `resource names nothing that tokens of this server open: send ${addresses.toolEndpoint}, or leave it out.`,
    { field: 'resource' },
  )
}
