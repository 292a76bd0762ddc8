/** Finds details in a text that readers act on: times, prices, places, addresses and codes. */

const words = new Set(['e-mail', 'email', 'sms', 'newsletter', 'i', "i'd", 'hi', 'hello', 'vip'])

/** The words of a text that contain a detail, without the punctuation around them. */
export function detailsOf(text: string): string[] {
  return text.split(/\s+/).flatMap((run, n) => {
    const word = bare(run)
    if (word === '' || words.has(word.toLowerCase())) return []
    const isNamed = n > 0 && /^\p{Lu}/u.test(word)
    const isCode = /^[\p{Lu}\d_-]{3,}$/u.test(word)
    return isNamed || isCode || isFigure(word) ? [word] : []
  })
}

/** Whether the word is a number, a price or an address. */
export function isFigure(word: string): boolean {
  return /\d|[€£$¥%@]|:\/\//.test(word) || /[\p{L}\d]\.\p{L}{2}/u.test(word)
}

const around = /[\s"'“”„‘’«».,;:!?…()[\]]/

function bare(word: string): string {
  let [from, to] = [0, word.length]
  while (from < to && around.test(word[from] ?? '')) from++
  while (to > from && around.test(word[to - 1] ?? '')) to--
  return word.slice(from, to)
}
