/** One line of text in the form in which names and tags are stored: composed, single spaces. */
export function singleLine(text: string): string {
  if (isSpelledSo(text)) return text
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim()
}

const space = 0x20
const firstOfAscii = 0x21
const lastOfAscii = 0x7e

/** Whether it is visible ASCII with single spaces between its words, as most texts are. */
function isSpelledSo(text: string): boolean {
  let before = space
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isFine = code === space ? before !== space : code >= firstOfAscii && code <= lastOfAscii
    if (!isFine) return false
    before = code
  }
  return before !== space
}

/** Whether the text is not blank and has no control character. */
export function isSingleLine(text: string): boolean {
  return text.trim() !== '' && !/\p{Cc}/u.test(text)
}
