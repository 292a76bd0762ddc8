/** Flaws of a mail's HTML for people who use a screen reader. Its whole text is read once. */

export function markupFlaws(html: string): string[] {
  const levels: number[] = []
  let bare = 0
  const element = /<(?:h([1-6])|img)(?=[\s/>])/gi
  for (let found = element.exec(html); found; found = element.exec(html)) {
    if (found[1] !== undefined) {
      levels.push(Number(found[1]))
      continue
    }
    const end = html.indexOf('>', element.lastIndex)
    if (end < 0) break
    if (!/\salt(?=[\s=/>])/i.test(html.slice(element.lastIndex, end + 1))) bare++
    element.lastIndex = end
  }
  return [...imageFlaws(bare), ...headingFlaws(levels)]
}

function imageFlaws(bare: number): string[] {
  if (bare === 0) return []
  const which = bare === 1 ? 'One image has no alt' : `${bare} images have no alt`
  return [`${which}: say what it shows, or give alt="" where it only decorates.`]
}

function headingFlaws(levels: readonly number[]): string[] {
  const flaws: string[] = []
  const first = levels.filter((level) => level === 1).length
  if (first > 1) flaws.push(`There are ${first} headings of level 1: keep one, as the title.`)
  const skip = levels.findIndex((level, n) => n > 0 && level > (levels[n - 1] ?? 0) + 1)
  if (skip > 0) {
    flaws.push(
      `A heading of level ${levels[skip]} follows one of level ${levels[skip - 1]}: leave no level out.`,
    )
  }
  return flaws
}
