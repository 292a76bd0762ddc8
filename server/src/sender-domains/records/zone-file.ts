/** Formats records as lines of a zone file (RFC 1035, section 5), to be copied unchanged. */

export interface ZoneLine {
  /** The full name, without the last dot. */
  name: string
  type: 'TXT' | 'CNAME' | 'MX'
  value: string
}

/** The TTL that we recommend: an hour, so that a mistake can be corrected soon. */
export const recordTtl = 3600

/** A TXT record consists of strings of at most 255 bytes, which readers join. */
const longestString = 255

export function zoneFile(lines: readonly ZoneLine[]): string {
  return lines.map((line) => `${zoneLine(line)}\n`).join('')
}

function zoneLine({ name, type, value }: ZoneLine): string {
  return `${name}. ${recordTtl} IN ${type} ${type === 'TXT' ? quoted(value) : `${value}.`}`
}

function quoted(value: string): string {
  const strings = value.match(new RegExp(`.{1,${longestString}}`, 'g')) ?? ['']
  return strings.map((string) => `"${string.replace(/["\\]/g, '\\$&')}"`).join(' ')
}
