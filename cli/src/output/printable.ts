/** Text of strangers as a terminal may show it: control characters could move the cursor or fake a line. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => (character === '\n' ? '⏎' : '�'))
}
