/** Inserts additions at the end of a page's body. */
import { type Content, cut, type SharedPiece, textOf } from '../lib/email/quoted-printable.ts'

interface End<Piece> {
  /** The page before the last `</body>`, and the rest. */
  halves: [Piece, Piece] | undefined
  /** Whether the next piece may change one of the last letters. */
  half: boolean
}

const endsByPiece = new WeakMap<SharedPiece, End<SharedPiece>>()

export function atEnd(page: Content, added: string): Content {
  if (added === '') return page
  if (typeof page === 'string') return inserted(page, added)
  for (let n = page.length - 1; n >= 0; n--) {
    const piece = page[n] ?? ''
    const { halves, half } = typeof piece === 'string' ? endIn(piece) : endOf(piece)
    if (half && n < page.length - 1) return inserted(textOf(page), added)
    if (halves) return [...page.slice(0, n), halves[0], added, halves[1], ...page.slice(n + 1)]
  }
  return [...page, added]
}

function endOf(piece: SharedPiece): End<SharedPiece> {
  const cached = endsByPiece.get(piece)
  if (cached) return cached
  const { halves, half } = endIn(piece.text)
  const end: End<SharedPiece> = { halves: halves && [cut(halves[0]), cut(halves[1])], half }
  endsByPiece.set(piece, end)
  return end
}

function endIn(text: string): End<string> {
  const at = bodyEnd(text)
  return {
    halves: at < 0 ? undefined : [text.slice(0, at), text.slice(at)],
    half: /<(?:\/(?:b(?:o(?:dy?)?)?)?)?$/i.test(text.slice(-6)),
  }
}

function inserted(page: string, added: string): string {
  const end = bodyEnd(page)
  return end < 0 ? page + added : page.slice(0, end) + added + page.slice(end)
}

/** Lower-casing changes the length of some letters, and so every position after them. */
function bodyEnd(text: string): number {
  let at = -1
  for (const { index } of text.matchAll(/<\/body>/gi)) at = index
  return at
}
