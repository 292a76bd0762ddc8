/** A campaign's text message: the sender's name comes first, how to unsubscribe last. */

interface Parts {
  sender: string
  words: string
  link: string | undefined
}

export function textMessage({ sender, words, link }: Parts): string {
  const said = words === '' ? '' : ` ${words}`
  return `${inPlainLetters(sender)}:${said}${link === undefined ? '' : ` ${link}`} STOP to opt out`
}

/** Replaces characters outside of the GSM alphabet, which would more than halve its capacity. */
export function inPlainLetters(text: string): string {
  return text
    .replaceAll('…', '...')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
}
