/** The ids in examples: invented in the documentation, real when the examples are run. */

/**
 * Ids by prefix (`frm` to `frm_…`), or by the name of a field that needs another id of the same
 * kind (`other_contact_id`). Missing ids are invented.
 */
export type ExampleIds = Readonly<Record<string, string>>

/** A valid id that identifies nothing. */
export function inventedId(prefix: string, digit = '0'): string {
  return `${prefix}_01jd${digit.repeat(22)}`
}

/** The field's id if its pattern is that of an id: `^frm_…`. */
export function idFor(
  { pattern, key }: { pattern: string | undefined; key: string },
  ids: ExampleIds,
): string | undefined {
  const prefix = /^\^([a-z]{3})_/.exec(pattern ?? '')?.[1]
  if (prefix === undefined) return undefined
  if (key.startsWith('other_')) return ids[key] ?? inventedId(prefix, '1')
  return ids[prefix] ?? inventedId(prefix)
}
