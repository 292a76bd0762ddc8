/** The ids that examples name: invented ones in print, real ones where the examples are run. */

/**
 * By prefix: `frm` to `frm_…`; by a field's name where that is to be another of its kind:
 * `other_contact_id`. What is missing is invented.
 */
export type ExampleIds = Readonly<Record<string, string>>

/** An id that could be one, and of nothing. */
export function inventedId(prefix: string, digit = '0'): string {
  return `${prefix}_01jd${digit.repeat(22)}`
}

/** The field's id where its pattern is that of one: `^frm_…`. */
export function idFor(
  { pattern, key }: { pattern: string | undefined; key: string },
  ids: ExampleIds,
): string | undefined {
  const prefix = /^\^([a-z]{3})_/.exec(pattern ?? '')?.[1]
  if (prefix === undefined) return undefined
  if (key.startsWith('other_')) return ids[key] ?? inventedId(prefix, '1')
  return ids[prefix] ?? inventedId(prefix)
}
