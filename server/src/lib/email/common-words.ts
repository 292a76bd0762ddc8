/**
 * The words of a mail server's refusal without what differs from message to message, so that equal
 * refusals count together: ids, addresses of mailboxes and of machines. Linear in the text.
 */

/** The most characters that are read, and that are kept. */
const read = 1_000
const mostWords = 160

/** @param address The recipient's, whose name some servers repeat. */
export function commonWords(text: string, address: string): string {
  const name = address.slice(0, Math.max(0, address.lastIndexOf('@'))).toLowerCase()
  const words: string[] = []
  for (const token of text.slice(0, read).replaceAll('\n', ' ').split(' ')) {
    if (token === '' || token === '\r') continue
    const word = isCommon(token, name) ? token : '…'
    if (word !== '…' || words.at(-1) !== '…') words.push(word)
  }
  const all = words.join(' ')
  return all.length > mostWords ? `${all.slice(0, mostWords - 1)}…` : all
}

/** Shorter names are parts of many words. */
const shortestName = 3

function isCommon(token: string, name: string): boolean {
  const lower = token.toLowerCase()
  if (token.includes('@')) return false
  if (name.length >= shortestName && lower.includes(name)) return false
  if (lower.startsWith('http')) return !hasDigit(token)
  if (!hasDigit(token)) return token.length <= 40
  return isCode(token)
}

function hasDigit(text: string): boolean {
  for (const letter of text) if (letter >= '0' && letter <= '9') return true
  return false
}

/** A reply code or an enhanced status code, such as `550`, `5.7.1` or `550-5.7.26`. */
function isCode(token: string): boolean {
  let digits = 0
  for (const letter of token) {
    if (letter >= '0' && letter <= '9') digits++
    else if (!'.-:;,()[]'.includes(letter)) return false
  }
  const dots = token.split('.').length - 1
  return digits <= 7 && (dots === 2 || (dots === 0 && digits <= 3))
}
