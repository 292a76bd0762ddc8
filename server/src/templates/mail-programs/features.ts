/** What a mail may use that some mail programs ignore, and the programs that are judged. */

export interface Feature {
  /** The name of its page at caniemail. */
  feature: string
  /** As a person would call it. */
  words: string
  /** Whether something is lost or out of place without it, and not only less beautiful. */
  breaks?: true
  property?: string | readonly string[]
  /** What the value contains; without it any value counts. */
  values?: readonly string[]
  element?: string
  attribute?: string
  /** How the address of an image begins or ends. */
  image?: readonly string[]
  /** In a style sheet. */
  rule?: string
}

const breaks = true

export const features: readonly Feature[] = [
  { feature: 'css-border-radius', words: 'rounded corners', property: 'border-radius' },
  { feature: 'css-box-shadow', words: 'shadows', property: 'box-shadow' },
  { feature: 'css-text-shadow', words: 'shadows of text', property: 'text-shadow' },
  { feature: 'css-opacity', words: 'opacity', property: 'opacity' },
  { feature: 'css-object-fit', words: 'object-fit', property: 'object-fit' },
  { feature: 'css-background-size', words: 'background-size', property: 'background-size' },
  { feature: 'css-transform', words: 'transform', property: 'transform' },
  { feature: 'css-animation', words: 'animations', property: ['animation', 'animation-name'] },
  { feature: 'css-filter', words: 'filters', property: 'filter' },
  { feature: 'css-clip-path', words: 'clip-path', property: 'clip-path' },
  { feature: 'css-aspect-ratio', words: 'aspect-ratio', property: 'aspect-ratio' },
  { feature: 'css-list-style-image', words: 'pictures as bullets', property: 'list-style-image' },
  { feature: 'css-text-overflow', words: 'text-overflow', property: 'text-overflow' },
  { feature: 'css-at-font-face', words: 'fonts of your own', rule: '@font-face' },
  { feature: 'css-at-import', words: '@import', rule: '@import' },
  { feature: 'html-srcset', words: 'srcset', attribute: 'srcset' },
  {
    feature: 'css-linear-gradient',
    words: 'gradients',
    property: ['background', 'background-image'],
    values: ['linear-gradient('],
  },
  {
    feature: 'css-radial-gradient',
    words: 'round gradients',
    property: ['background', 'background-image'],
    values: ['radial-gradient('],
  },
  {
    feature: 'css-background-image',
    words: 'background pictures',
    breaks,
    property: ['background', 'background-image'],
    values: ['url('],
  },
  { feature: 'css-display-flex', words: 'flexbox', breaks, property: 'display', values: ['flex'] },
  { feature: 'css-display-grid', words: 'grids', breaks, property: 'display', values: ['grid'] },
  {
    feature: 'css-position',
    words: 'position',
    breaks,
    property: 'position',
    values: ['absolute', 'fixed', 'sticky'],
  },
  { feature: 'css-float', words: 'float', breaks, property: 'float', values: ['left', 'right'] },
  {
    feature: 'css-column-count',
    words: 'columns of text',
    breaks,
    property: ['column-count', 'columns'],
  },
  { feature: 'css-writing-mode', words: 'writing-mode', breaks, property: 'writing-mode' },
  { feature: 'css-visibility', words: 'visibility', breaks, property: 'visibility' },
  { feature: 'css-variables', words: 'CSS variables', breaks, values: ['var('] },
  { feature: 'css-unit-calc', words: 'calc()', breaks, values: ['calc('] },
  { feature: 'css-function-clamp', words: 'clamp()', breaks, values: ['clamp('] },
  { feature: 'css-function-light-dark', words: 'light-dark()', breaks, values: ['light-dark('] },
  { feature: 'html-video', words: 'videos', breaks, element: 'video' },
  { feature: 'html-audio', words: 'audio', breaks, element: 'audio' },
  { feature: 'html-svg', words: 'SVG in the HTML', breaks, element: 'svg' },
  { feature: 'html-object', words: '<object>', breaks, element: 'object' },
  { feature: 'html-dialog', words: '<dialog>', breaks, element: 'dialog' },
  { feature: 'html-marquee', words: '<marquee>', element: 'marquee' },
  { feature: 'html-progress', words: '<progress>', breaks, element: 'progress' },
  { feature: 'html-meter', words: '<meter>', breaks, element: 'meter' },
  { feature: 'html-picture', words: '<picture>', element: 'picture' },
  { feature: 'html-hidden', words: 'the attribute hidden', breaks, attribute: 'hidden' },
  { feature: 'image-svg', words: 'SVG pictures', breaks, image: ['.svg'] },
  { feature: 'image-webp', words: 'WebP pictures', breaks, image: ['.webp'] },
  { feature: 'image-avif', words: 'AVIF pictures', breaks, image: ['.avif'] },
  { feature: 'image-heif', words: 'HEIC pictures', breaks, image: ['.heic', '.heif'] },
  { feature: 'image-tiff', words: 'TIFF pictures', breaks, image: ['.tif', '.tiff'] },
  { feature: 'image-mp4', words: 'films as pictures', breaks, image: ['.mp4'] },
  { feature: 'image-base64', words: 'pictures within the HTML', breaks, image: ['data:'] },
]

/** The mail programs that are judged, each by a letter, and their names at caniemail. */
export const programs: Readonly<Record<string, { client: string; name: string }>> = {
  g: { client: 'gmail.desktop-webmail', name: 'Gmail' },
  G: { client: 'gmail.android', name: 'Gmail for Android' },
  w: { client: 'outlook.windows', name: 'Outlook for Windows' },
  c: { client: 'outlook.outlook-com', name: 'Outlook.com' },
  m: { client: 'outlook.macos', name: 'Outlook for Mac' },
  i: { client: 'outlook.ios', name: 'Outlook for iOS' },
  a: { client: 'apple-mail.macos', name: 'Apple Mail' },
  A: { client: 'apple-mail.ios', name: 'Apple Mail on iOS' },
  y: { client: 'yahoo.desktop-webmail', name: 'Yahoo Mail' },
  s: { client: 'samsung-email.android', name: 'Samsung Email' },
  t: { client: 'thunderbird.macos', name: 'Thunderbird' },
  x: { client: 'gmx.desktop-webmail', name: 'GMX' },
  d: { client: 'web-de.desktop-webmail', name: 'WEB.DE' },
}

/** Several letters under one name. */
const families: [letters: string, name: string][] = [
  ['gG', 'Gmail'],
  ['wcmi', 'Outlook'],
  ['aA', 'Apple Mail'],
]

/** The names of these programs, those of a family as one. */
export function namesOf(letters: string): string[] {
  let remaining = letters.split('')
  const names: string[] = []
  for (const [family, name] of families) {
    if (!family.split('').every((letter) => remaining.includes(letter))) continue
    names.push(name)
    remaining = remaining.filter((letter) => !family.includes(letter))
  }
  return [...names, ...remaining.flatMap((letter) => programs[letter]?.name ?? [])]
}
