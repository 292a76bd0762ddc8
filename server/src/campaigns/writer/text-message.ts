/** A text message of a campaign: who says it first, the way out last. */

interface Parts {
  sender: string
  words: string
  link: string | undefined
}

export function textMessage({ sender, words, link }: Parts): string {
  // Outside GSM's alphabet a text holds less than half as much.
  const plain = `${sender}:${words === '' ? '' : ` ${words}`}`
    .replaceAll('…', '...')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
  return `${plain}${link === undefined ? '' : ` ${link}`} STOP to opt out`
}
