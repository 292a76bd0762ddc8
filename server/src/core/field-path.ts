/**
 * Formats the path of a field as people write it, `fields[0].key`. Keys that a caller chose are
 * truncated and made readable.
 */
export function formatFieldPath(path: readonly (string | number)[]): string {
  return path.reduce<string>((field, part) => {
    if (typeof part === 'number') return `${field}[${part}]`
    return field ? `${field}.${truncateKey(part)}` : truncateKey(part)
  }, '')
}

/** Truncates a key that a caller chose: it may be megabytes long, or empty. */
export function truncateKey(key: string): string {
  if (key === '') return '""'
  const text = key.slice(0, 80).toWellFormed().replaceAll('\0', '␀')
  return key.length > 80 ? `${text}…` : text
}
