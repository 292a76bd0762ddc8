/**
 * The fields of reports: `Name: value` lines in groups separated by blank lines, folded like mail
 * headers (RFC 3464 section 2.1, RFC 5965 section 3).
 */

/** By name in lower case; a repeated field has its first value. */
export type Fields = ReadonlyMap<string, string>

/** The most groups that are read: one for the message and one for each recipient. */
const mostGroups = 50

export function fieldGroups(text: string): Fields[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/, mostGroups)
    .map(fieldsIn)
    .filter((fields) => fields.size > 0)
}

export function fieldsIn(text: string): Fields {
  const fields = new Map<string, string>()
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (colon < 1 || fields.has(name)) continue
    fields.set(name, line.slice(colon + 1).trim())
  }
  return fields
}

/** Splits a field `type; value` into its type, in lower case, and its value. */
export function typed(value: string | undefined): { type: string; value: string } | undefined {
  if (value === undefined) return undefined
  const semicolon = value.indexOf(';')
  return {
    type: value.slice(0, Math.max(0, semicolon)).trim().toLowerCase(),
    value: value.slice(semicolon + 1).trim(),
  }
}
