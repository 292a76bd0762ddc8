/** Quotes words for a POSIX shell. */

export function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Prints one line if it fits, otherwise a line for each part. */
export function shellLines(parts: readonly string[]): string {
  const line = parts.join(' ')
  return line.length <= 80 && !line.includes('\n') ? line : parts.join(' \\\n  ')
}
