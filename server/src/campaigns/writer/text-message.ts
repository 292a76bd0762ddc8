/** A campaign's text message: the sender's name comes first, how to unsubscribe last. */

interface Parts {
  sender: string
  words: string
  link: string | undefined
  /** How to unsubscribe, in the message's language. */
  stop?: string
}

export function textMessage({ sender, words, link, stop = 'STOP to opt out' }: Parts): string {
  const sentence = words === '' ? '' : ` ${words}`
  return `${inPlainLetters(sender)}:${sentence}${link === undefined ? '' : ` ${link}`} ${stop}`
}

/** Replaces characters outside of the GSM alphabet, which would more than halve its capacity. */
export function inPlainLetters(text: string): string {
  return text
    .replaceAll('…', '...')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
}
