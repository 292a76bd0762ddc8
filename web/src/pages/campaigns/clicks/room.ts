/**
 * Where the mark of a link stands so that it covers no words: beside a link that runs within a line,
 * above one that is a block, such as a button, and in the corner of a picture. The first two get their
 * room by a margin on the link, so the mail reads a little wider than it was sent.
 */

export const markHeight = 16
const gap = 4

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export type Place = 'beside' | 'above' | 'corner'

export interface Room {
  place: Place
  /** The margin that the mail itself gives the link there. */
  margin: number
}

const pictureOrBlock = 'img, table, div, p, h1, h2, h3, h4, ul, ol'

export function roomAt(link: Element): Room {
  const { display, marginTop, marginInlineEnd } = getComputedStyle(link)
  if (link.localName === 'area' || link.querySelector(pictureOrBlock)) {
    return { place: 'corner', margin: 0 }
  }
  const [place, margin] =
    display === 'inline' ? (['beside', marginInlineEnd] as const) : (['above', marginTop] as const)
  return { place, margin: Number.parseFloat(margin) || 0 }
}

/** Returns what takes the room away again. */
export function makeRoom(link: HTMLElement, { place, margin }: Room, wide: number): () => void {
  const before = link.getAttribute('style')
  const give = (name: string, more: number) =>
    link.style.setProperty(name, `${margin + more}px`, 'important')
  if (place === 'beside') give('margin-inline-end', wide + 2 * gap)
  if (place === 'above') give('margin-top', markHeight + gap)
  return () => {
    if (before === null) link.removeAttribute('style')
    else link.setAttribute('style', before)
  }
}

/** The left upper corner of a mark, by the last box of its link. */
export function cornerOf(
  { left, top, right, bottom }: Box,
  place: Place,
  wide: number,
  isFromRight: boolean,
): { left: number; top: number } {
  if (place === 'beside') {
    return {
      left: isFromRight ? left - gap - wide : right + gap,
      top: (top + bottom - markHeight) / 2,
    }
  }
  const inner = place === 'corner' ? gap : -markHeight - gap / 2
  return { left: isFromRight ? left + gap : right - wide - gap, top: top + inner }
}
