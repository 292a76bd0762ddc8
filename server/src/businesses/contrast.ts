/** How well white words can be read on a colour (WCAG 2.2, "contrast ratio"). */

/** What WCAG asks of text of this size (success criterion 1.4.3). */
const enough = 4.5

export function contrastWarning(colour: string | null): string | undefined {
  if (colour === null) return undefined
  const ratio = 1.05 / (luminance(colour) + 0.05)
  if (ratio >= enough) return undefined
  return `White words on buttons in ${colour} are hard to read: their contrast is ${ratio.toFixed(1)}, and ${enough} is wanted. Choose a darker colour.`
}

/** Of `#rrggbb`, from 0 for black to 1 for white. */
function luminance(colour: string): number {
  const part = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}
