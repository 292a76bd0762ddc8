/** One line of text as names, tags and the like are kept: composed, with single spaces. */
export function singleLine(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim()
}

/** Whether there is a text, and no control character in it. */
export function isSingleLine(text: string): boolean {
  return text.trim() !== '' && !/\p{Cc}/u.test(text)
}
