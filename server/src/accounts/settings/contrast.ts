/** Which text colour is readable on a background (WCAG 2.2, "contrast ratio"). */

/** The contrast that WCAG requires for text of this size (success criterion 1.4.3). */
export const minimumContrast = 4.5

const black = '#000000'

/** White if it is readable, else black, which is readable on every other colour. */
export function textColourOn(colour: string): string {
  return contrastOnWhite(colour) >= minimumContrast ? '#ffffff' : black
}

export function contrastWarning(colour: string | null): string | undefined {
  if (colour === null) return undefined
  const ratio = contrastOnWhite(colour)
  if (ratio >= minimumContrast) return undefined
  return `White words on buttons in ${colour} would be hard to read: their contrast is ${ratio.toFixed(1)}, and ${minimumContrast} is wanted. Generated mail writes black words there; choose a darker colour for white ones.`
}

/** From 1 for white itself to 21 for black. */
export const contrastOnWhite = (colour: string): number => contrastOf(colour, '#ffffff')

/** From 1 for a colour on itself to 21 for black on white. */
export function contrastOf(colour: string, ground: string): number {
  const [text, behind] = [luminance(colour) + 0.05, luminance(ground) + 0.05]
  return Math.max(text, behind) / Math.min(text, behind)
}

/** The relative luminance of `#rrggbb`, from 0 for black to 1 for white. */
function luminance(colour: string): number {
  const part = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

/** How far the part in which two colours differ most is apart: 0 for equal ones to 255. */
export function distanceOf(colour: string, other: string): number {
  const [parts, others] = [partsOf(colour), partsOf(other)]
  return Math.max(...parts.map((part, i) => Math.abs(part - (others[i] ?? 0))))
}

/** Red, green and blue of `#rrggbb`, from 0 to 255. */
const partsOf = (colour: string) =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

/** The nearest darker or lighter shade that can be read on the ground; the colour itself if it can. */
export function mendedColour(colour: string, ground: string): string {
  const target = textColourOn(ground) === '#ffffff' ? 255 : 0
  const parts = partsOf(colour)
  for (let step = 0; step < mendingSteps; step++) {
    const shade = parts.map((part) => Math.round(part + ((target - part) * step) / mendingSteps))
    const hex = `#${shade.map((part) => part.toString(16).padStart(2, '0')).join('')}`
    if (contrastOf(hex, ground) >= minimumContrast) return hex
  }
  return textColourOn(ground)
}

const mendingSteps = 100
