/** One line of text in the form in which names and tags are stored: composed, single spaces. */
export function singleLine(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim()
}

/** Whether the text is not blank and has no control character. */
export function isSingleLine(text: string): boolean {
  return text.trim() !== '' && !/\p{Cc}/u.test(text)
}
