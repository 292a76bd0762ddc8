/** A text message of a campaign: who says it first, how to unsubscribe last. */

interface Parts {
  sender: string
  words: string
  link: string | undefined
}

export function textMessage({ sender, words, link }: Parts): string {
  const said = words === '' ? '' : ` ${words}`
  return `${inPlainLetters(sender)}:${said}${link === undefined ? '' : ` ${link}`} STOP to opt out`
}

/** Outside GSM's alphabet a text holds less than half as much. */
export function inPlainLetters(text: string): string {
  return text
    .replaceAll('…', '...')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
}
