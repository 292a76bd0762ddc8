/** Returns the arguments with `value` at the place, and creates missing parts of the path. */
export function withValueAt(input: unknown, path: (string | number)[], value: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return value
  if (typeof first === 'number') {
    const items = Array.isArray(input) ? [...input] : []
    items[first] = withValueAt(items[first], rest, value)
    return items
  }
  const object = (input ?? {}) as Record<string, unknown>
  return { ...object, [first]: withValueAt(object[first], rest, value) }
}
