/** A place as people write it, `fields[0].key`; keys of a caller are cut and made readable. */
export function fieldAt(path: readonly (string | number)[]): string {
  return path.reduce<string>((field, part) => {
    if (typeof part === 'number') return `${field}[${part}]`
    return field ? `${field}.${shown(part)}` : shown(part)
  }, '')
}

/** A caller's own key, cut: it may be megabytes long, or nothing at all. */
export function shown(key: string): string {
  if (key === '') return '""'
  const text = key.slice(0, 80).toWellFormed().replaceAll('\0', '␀')
  return key.length > 80 ? `${text}…` : text
}
