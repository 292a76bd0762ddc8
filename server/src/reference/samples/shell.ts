/** Words of a POSIX shell. */

export function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** One line where it fits, else a line for each part. */
export function shellLines(parts: readonly string[]): string {
  const line = parts.join(' ')
  return line.length <= 80 && !line.includes('\n') ? line : parts.join(' \\\n  ')
}
