/** Removes an erased person's address from a stored filter. */

/** No contact has this text as an address, so the filter matches the same people. */
const placeholder = 'erased'

/** Replaces every text that is the address, in any case; longer texts that contain it stay. */
export function withoutAddress(value: unknown, address: string): unknown {
  if (typeof value === 'string') {
    return value.trim().toLowerCase() === address.toLowerCase() ? placeholder : value
  }
  if (Array.isArray(value)) return value.map((entry) => withoutAddress(entry, address))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, withoutAddress(entry, address)]),
  )
}
