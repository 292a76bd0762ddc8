/** Escapes a stranger's text: control characters could move the cursor or fake a line. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => (character === '\n' ? '⏎' : '�'))
}
