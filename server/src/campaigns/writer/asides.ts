/**
 * The parts of a goal that address the writer and not the readers. The text is read word by word
 * from each URL and each comma, so that a long run of spaces only takes linear time.
 */
import { withoutEnd } from '../../lib/text/trim-end.ts'

export interface Asides {
  /** The part of the goal that is left for the readers. */
  goal: string
  links: string[]
  tone: string | undefined
}

export function asidesOf(text: string): Asides {
  const links: string[] = []
  let goal = ''
  let at = 0
  for (const { index, 0: run } of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    // Punctuation that ends a sentence is not part of the URL before it.
    const url = withoutEnd(run, /['.,;:!?)\]}]/)
    if (url.endsWith('//')) continue
    links.push(url)
    const end = index + url.length
    const cut = asideAround(text, { from: at, start: index, end })
    if (!cut) continue
    goal += text.slice(at, cut.start)
    at = cut.end
  }
  return { ...withoutTone(goal + text.slice(at)), links }
}

interface Place {
  /** The beginning of the text before the URL that may be examined. */
  from: number
  start: number
  end: number
}

const links = /^(?:links?|urls?)$/
const articles = /^(?:an?|the)$/

/**
 * The words that belong to the URL: `with a link to URL`, `(link: URL)`, `, URL`, or a sentence of
 * nothing but the URL. A URL that its sentence needs, as in `Book at URL`, stays in place.
 */
function asideAround(text: string, { from, start, end }: Place): Omit<Place, 'from'> | undefined {
  const back = reader(text, from, start)
  if (back.character(':')) back.word(/^(?:to|is)$/)
  else back.word(/^(?:to|is)$/)
  const link = back.word(links)
  if (link) {
    back.word(articles)
    back.word(/^with$/)
    back.word(/^and$/)
  } else {
    back.reset()
  }
  const parted = back.character('(') || back.character(',') || back.character(';')
  const closing = text[end] === ')' ? 1 : 0
  const alone = back.isAtStart() && /^(?:[.!?]?\s|[.!?]?$)/.test(text.slice(end, end + 2))
  if (!link && !parted && !alone) return undefined
  return { start: back.place(), end: end + closing }
}

/** The words of these lists have at most this many letters. */
const longestWord = 8

/** Reads backwards from a position, over spaces and then over the requested word or character. */
function reader(text: string, from: number, start: number) {
  const skip = (index: number) => {
    let so = index
    while (so > from && isSpace(text[so - 1])) so--
    return so
  }
  let at = skip(start)
  return {
    character(expected: string): boolean {
      if (at === from || text[at - 1] !== expected) return false
      at = skip(at - 1)
      return true
    },
    word(pattern: RegExp): boolean {
      let begin = at
      while (begin > from && at - begin <= longestWord && isLetter(text[begin - 1])) begin--
      if (!pattern.test(text.slice(begin, at).toLowerCase())) return false
      at = skip(begin)
      return true
    },
    reset() {
      at = skip(start)
    },
    isAtStart: () => {
      return at === from || /[.!?]/.test(text[at - 1] ?? '') || text.slice(at, start).includes('\n')
    },
    place: () => at,
  }
}

/** Removes a clause that only states the tone: `, in a friendly tone`. */
function withoutTone(text: string): { goal: string; tone: string | undefined } {
  const marks = [...text.matchAll(/[,;.]/g)].map(({ index }) => index)
  for (const [n, mark] of marks.entries()) {
    const end = marks[n + 1] ?? text.length
    const clause = text.slice(mark + 1, end)
    const words = toneOf(clause)
    if (words === undefined) continue
    return { goal: text.slice(0, mark).trimEnd() + text.slice(end), tone: words }
  }
  return { goal: text, tone: undefined }
}

const toneLimits = { words: 6, characters: 60 }

function toneOf(clause: string): string | undefined {
  // A longer clause is ignored without reading it.
  const text = clause.length > 200 ? '' : clause.trim().toLowerCase()
  const [last, ...before] = text.split(/\s+/).toReversed()
  const words = before.toReversed()
  if (last !== 'tone' || words.length > toneLimits.words) return undefined
  if (/^(?:in|with|use|keep)$/.test(words[0] ?? '')) words.shift()
  if (articles.test(words[0] ?? '')) words.shift()
  const tone = words.join(' ')
  // A time or a price in the clause is meant for the readers.
  const says = tone.length >= 2 && tone.length <= toneLimits.characters && !/[\d@/]/.test(tone)
  return says ? tone : undefined
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character)
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[a-z]/i.test(character)
}
