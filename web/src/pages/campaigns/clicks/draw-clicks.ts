/**
 * Draws marks over the links of a mail in its frame. The frame runs no script: this one reaches into
 * it from outside. The marks have a tree of their own, so that the mail's styles do not reach them,
 * and everything in them is text.
 */
import { type Box, cornerOf, makeRoom, markHeight, type Room, roomAt } from './room.ts'
import { lookOf, noClicks } from './strength.ts'

export interface Mark {
  people: number
  /** What stands on the mark. */
  text: string
}

/** A mail with more links than this is a list of links, on which marks would only hide them. */
const mostMarks = 500
/** Marks that would lie on others move down at most so often. */
const mostMoves = 20

export function drawClicks(page: Document, marks: ReadonlyMap<string, Mark>): () => void {
  const host = page.createElement('div')
  host.setAttribute('aria-hidden', 'true')
  style(host, {
    all: 'initial',
    position: 'absolute',
    left: '0',
    top: '0',
    'z-index': '2147483647',
  })
  const tree = host.attachShadow({ mode: 'open' })
  page.documentElement.append(host)
  const most = Math.max(1, ...[...marks.values()].map(({ people }) => people))
  const marked = markedLinks(page, host, marks)
  const rooms = marked.map(({ link, room, wide }) => makeRoom(link, room, wide))
  const draw = () => tree.replaceChildren(...drawn(page, host, { marked, most }))
  draw()
  const watcher = new ResizeObserver(draw)
  if (page.body) watcher.observe(page.body)
  watcher.observe(page.documentElement)
  return () => {
    watcher.disconnect()
    host.remove()
    for (const close of rooms) close()
  }
}

interface Marked {
  link: HTMLElement
  mark: Mark
  room: Room
  wide: number
  isFromRight: boolean
}

/** The links that can be seen. All are looked at before any of them gets room. */
function markedLinks(page: Document, host: Element, marks: ReadonlyMap<string, Mark>): Marked[] {
  const origin = host.getBoundingClientRect()
  const links = page.querySelectorAll<HTMLAnchorElement | HTMLAreaElement>('a[href], area[href]')
  return [...links].slice(0, mostMarks).flatMap((link) => {
    const mark = marks.get(link.href)
    if (!mark || boxesOf(link, origin).length === 0) return []
    const isFromRight = getComputedStyle(link).direction === 'rtl'
    // As wide as its text in a font of fixed size; measuring each one would lay out the mail anew.
    const wide = 12 + mark.text.length * 7
    return [{ link, mark, room: roomAt(link), wide, isFromRight }]
  })
}

function drawn(
  page: Document,
  host: Element,
  { marked, most }: { marked: readonly Marked[]; most: number },
): HTMLElement[] {
  const origin = host.getBoundingClientRect()
  const width = page.documentElement.clientWidth
  const taken: Box[] = []
  const badges: HTMLElement[] = []
  const outlines: HTMLElement[] = []
  for (const { link, mark, room, wide, isFromRight } of marked) {
    const boxes = boxesOf(link, origin)
    const last = boxes.at(-1)
    if (!last) continue
    const look = lookOf(mark.people, most)
    for (const box of boxes) outlines.push(outline(page, box, look))
    const badge = badgeOf(page, mark, look)
    const corner = cornerOf(last, room.place, wide, isFromRight)
    const left = Math.max(0, Math.min(corner.left, width - wide - 2))
    const top = freeAt(taken, { left, wide, top: Math.max(0, corner.top) })
    taken.push({ left, top, right: left + wide, bottom: top + markHeight })
    style(badge, { left: `${left}px`, top: `${top}px`, width: `${wide}px` })
    badges.push(badge)
  }
  return [...outlines, ...badges]
}

/** Of each of its lines and pictures that can be seen. */
function boxesOf(link: Element, origin: DOMRect): Box[] {
  const pictures = [...link.querySelectorAll('img')].flatMap((img) => [...img.getClientRects()])
  return [...link.getClientRects(), ...pictures]
    .filter((rect) => rect.width > 1 && rect.height > 1)
    .map(({ left, top, right, bottom }) => ({
      left: left - origin.left,
      top: top - origin.top,
      right: right - origin.left,
      bottom: bottom - origin.top,
    }))
}

function freeAt(
  taken: readonly Box[],
  { left, wide, top }: { left: number; wide: number; top: number },
): number {
  let at = top
  for (let moves = 0; moves < mostMoves; moves++) {
    const under = taken.find(
      (box) =>
        box.left < left + wide && box.right > left && box.top < at + markHeight && box.bottom > at,
    )
    if (!under) return at
    at = under.bottom + 1
  }
  return top
}

interface Look {
  ground: string
  ink: string
}

function outline(page: Document, { left, top, right, bottom }: Box, look: Look): HTMLElement {
  const made = page.createElement('div')
  const isClicked = look !== noClicks
  style(made, {
    position: 'absolute',
    'box-sizing': 'border-box',
    left: `${left - 2}px`,
    top: `${top - 1}px`,
    width: `${right - left + 4}px`,
    height: `${bottom - top + 2}px`,
    border: isClicked ? `2px solid ${look.ground}` : `1px dashed ${look.ink}`,
    'border-radius': '4px',
    // The words of the link stay legible under it.
    'background-color': isClicked ? `color-mix(in srgb, ${look.ground} 22%, transparent)` : '',
    'pointer-events': 'none',
  })
  return made
}

function badgeOf(page: Document, { text }: Mark, look: Look): HTMLElement {
  const made = page.createElement('div')
  made.textContent = text
  style(made, {
    position: 'absolute',
    'box-sizing': 'border-box',
    height: `${markHeight}px`,
    font: `600 11px/${markHeight - 2}px system-ui, sans-serif`,
    'text-align': 'center',
    'white-space': 'nowrap',
    overflow: 'hidden',
    border: `1px solid ${look === noClicks ? '#8b8b96' : look.ink}`,
    'border-radius': '8px',
    'background-color': look.ground,
    color: look.ink,
    'pointer-events': 'none',
  })
  return made
}

/** Stronger than every style of the mail. */
function style(element: HTMLElement, values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) {
    element.style.setProperty(name, value, 'important')
  }
}
