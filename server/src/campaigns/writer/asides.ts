/** What a goal says to the writer, and not to the readers. */

// What ends a sentence is no part of a URL that ends it.
const url = String.raw`https?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}]`
const urls = new RegExp(url, 'gi')
/** `with a link to URL`, `(link: URL)`, `, URL`. */
const pointers = new RegExp(
  String.raw`\s*[,;(]?\s*(?:(?:and\s+)?(?:with\s+)?(?:an?\s+|the\s+)?(?:links?|urls?)\s*(?:to|is|:)?\s*)?${url}\)?`,
  'gi',
)
/** A clause of its own: `, in a friendly tone`. */
const voice =
  /\s*[,;.]\s*(?:(?:in|with|use|keep)\s+)?(?:(?:an?|the)\s+)?([^,;.]{2,60}?)\s+tone(?=\s*(?:[,;.]|$))/i

export interface Asides {
  /** What is left for the readers. */
  goal: string
  links: string[]
  tone: string | undefined
}

export function asidesOf(text: string): Asides {
  const links = text.match(urls) ?? []
  let tone: string | undefined
  const goal = text.replace(pointers, '').replace(voice, (_whole, words: string) => {
    tone = words.toLowerCase()
    return ''
  })
  return { goal, links, tone }
}
