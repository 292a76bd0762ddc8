/**
 * Turns blocks into the MJML of a whole mail, which reads well on a phone, in dark mode and without
 * images. Runs in a thread. Every text is escaped; only a block of the type mjml is markup.
 */
import { contrastOnWhite, minimumContrast, textColourOn } from '../../accounts/settings/contrast.ts'
import { chooseLanguage, wordsIn } from '../../core/recipient-words/languages.ts'
import { escapeHtml } from '../../lib/text/html.ts'
import { type BlockMail, blockLimits, type Columns, type Leaf, type Look } from '../blocks/block.ts'
import { darkStyles } from '../blocks/dark.ts'
import { addressMarkup, plainMarkup, richMarkup } from './block-text.ts'

export interface LaidOut {
  mjml: string
  /** The block of each line of the MJML, such as `blocks[2].mjml`. Undefined for our own lines. */
  places: (string | undefined)[]
}

const ink = '#24242b'
const mutedInk = '#5a5a65'
const usualColour = '#4338ca'

/** Languages that are written from right to left. */
const rightToLeft = new Set([
  'ar',
  'arc',
  'ckb',
  'dv',
  'fa',
  'he',
  'ks',
  'ps',
  'sd',
  'ug',
  'ur',
  'yi',
])

interface Style {
  colour: string
  /** The colour of links and of words in the colour of the business. */
  accent: string
  link: string
  start: 'left' | 'right'
  dir: 'ltr' | 'rtl'
  /** What a link to the view in the browser says unless its block does. */
  viewWords: string
}

export function layOutBlocks({ blocks, title }: BlockMail, look: Look): LaidOut {
  const dir = rightToLeft.has(look.language.toLowerCase().split('-')[0] ?? '') ? 'rtl' : 'ltr'
  const colour = look.colour ?? usualColour
  const linkColour = contrastOnWhite(colour) >= minimumContrast ? colour : ink
  const start = dir === 'rtl' ? 'right' : 'left'
  const link = `color:${linkColour};text-decoration:underline`
  const viewWords = wordsIn(chooseLanguage(look.language)).view.link
  const style: Style = { colour, accent: linkColour, link, start, dir, viewWords }
  const lines = new Lines()
  for (const line of head(look, style, title)) lines.add(line)
  const [first] = blocks
  // Above the card, where readers look for it and where it takes no room from the words.
  const isAbove = first?.type === 'view_link'
  lines.add(isAbove ? viewAbove(first, style) : edge)
  lines.add(card)
  let isFirstHeading = true
  const levelOf: LevelOf = (level) => {
    const usual = isFirstHeading ? 1 : 2
    isFirstHeading = false
    return level ?? usual
  }
  const write = (block: Leaf, at: string) => writeLeaf(lines, block, { at, style, levelOf })
  let isOpen = false
  const close = () => {
    if (isOpen) lines.add('</mj-column></mj-section>')
    isOpen = false
  }
  for (const [n, block] of blocks.entries()) {
    if (n === 0 && isAbove) continue
    const at = `blocks[${n}]`
    if (block.type === 'columns') {
      close()
      writeColumns(lines, block, (leaf, place) => write(leaf, `${at}.${place}`))
      continue
    }
    if (!isOpen) lines.add('<mj-section padding="0"><mj-column>')
    isOpen = true
    write(block, at)
  }
  close()
  lines.add('</mj-wrapper></mj-body></mjml>')
  return { mjml: lines.texts.join('\n'), places: lines.places }
}

type LevelOf = (level: number | undefined) => number

class Lines {
  readonly texts: string[] = []
  readonly places: (string | undefined)[] = []

  add(text: string, place?: string): void {
    for (const line of text.split('\n')) {
      this.texts.push(line)
      this.places.push(place)
    }
  }
}

function head({ language }: Look, { colour, start, dir }: Style, title: string): string[] {
  return [
    `<mjml lang="${escapeHtml(language)}" dir="${dir}"><mj-head>`,
    `<mj-title>${plainMarkup({ written: title, place: 'subject' })}</mj-title><mj-attributes>`,
    `<mj-all font-family="-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif" />`,
    `<mj-section direction="${dir}" /><mj-wrapper direction="${dir}" /><mj-column direction="${dir}" />`,
    `<mj-text font-size="16px" line-height="1.6" color="${ink}" padding="0 32px 16px" align="${start}" />`,
    `<mj-button background-color="${colour}" color="${textColourOn(colour)}" font-size="16px" font-weight="600" border-radius="8px" inner-padding="14px 28px" padding="8px 32px 24px" align="${start}" />`,
    `<mj-image padding="0 32px 16px" border-radius="8px" align="${start}" />`,
    '<mj-divider border-width="1px" border-color="#d9d9e0" padding="8px 32px 24px" css-class="rule" />',
    '</mj-attributes><mj-raw>',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    `<style data-embed="true">${darkStyles}</style>`,
    '</mj-raw></mj-head>',
    '<mj-body background-color="#f4f4f7" css-class="page">',
  ]
}

const edge =
  '<mj-section padding="12px 0" css-class="edge"><mj-column><mj-spacer height="8px" /></mj-column></mj-section>'
const card =
  '<mj-wrapper background-color="#ffffff" border-radius="12px" padding="32px 0 16px" css-class="card">'

type ViewLink = Extract<Leaf, { type: 'view_link' }>

function viewAbove(block: ViewLink, style: Style): string {
  const link = viewLink(block, { at: 'blocks[0]', style }, mutedInk)
  return `<mj-section padding="16px 0 12px" css-class="edge muted"><mj-column><mj-text font-size="13px" padding="0 32px"${alignOf(block)}>${link}</mj-text></mj-column></mj-section>`
}

/** Nothing in mail that has no such view, such as a receipt. */
function viewLink(
  { text }: ViewLink,
  { at, style }: Pick<Around, 'at' | 'style'>,
  colour: string,
): string {
  const words =
    text === undefined
      ? escapeHtml(style.viewWords)
      : plainMarkup({ written: text, place: `${at}.text` })
  const look = `color:${colour};text-decoration:underline`
  return `{% if view_url != blank %}<a href="{{ view_url }}" class="link" style="${look}">${words}</a>{% endif %}`
}

function writeColumns(
  lines: Lines,
  { columns }: Columns,
  write: (block: Leaf, place: string) => void,
): void {
  lines.add('<mj-section padding="0">')
  for (const [n, column] of columns.entries()) {
    lines.add('<mj-column>')
    for (const [m, block] of column.entries()) write(block, `columns[${n}][${m}]`)
    lines.add('</mj-column>')
  }
  lines.add('</mj-section>')
}

interface Around {
  /** The place of the block, such as `blocks[2]`. */
  at: string
  style: Style
  levelOf: LevelOf
}

const headingStyles = [
  'margin:0;font-size:26px;line-height:1.25',
  'margin:8px 0 0;font-size:19px;line-height:1.3',
  'margin:8px 0 0;font-size:16px;line-height:1.4',
]

function writeLeaf(lines: Lines, block: Leaf, { at, style, levelOf }: Around): void {
  const field = (name: string, written: string) => ({ written, place: `${at}.${name}` })
  const paragraphs = (written: string) => {
    const all = richMarkup(field('text', written), style)
    return all.map((entry, n) => {
      return `<p style="margin:0${n < all.length - 1 ? ' 0 16px' : ''}">${entry}</p>`
    })
  }
  switch (block.type) {
    case 'heading': {
      const level = levelOf(block.level)
      const text = plainMarkup(field('text', block.text))
      lines.add(
        `<mj-text${alignOf(block)}${colourOf(block)}><h${level} style="${headingStyles[level - 1]}">${text}</h${level}></mj-text>`,
      )
      break
    }
    case 'text':
      lines.add(
        `<mj-text${alignOf(block)}${colourOf(block)}>${paragraphs(block.text).join('')}</mj-text>`,
      )
      break
    case 'image': {
      const { src, alt, url, width } = block
      const more = [
        width === undefined ? '' : ` width="${width}px"`,
        url === undefined ? '' : ` href="${addressMarkup(field('url', url), 'link')}"`,
      ]
      const words = alt === undefined ? '' : plainMarkup(field('alt', alt))
      const address = addressMarkup(field('src', src), 'image')
      lines.add(`<mj-image src="${address}" alt="${words}"${more.join('')}${alignOf(block)} />`)
      break
    }
    case 'button': {
      const own =
        block.colour === undefined
          ? ''
          : ` background-color="${block.colour}" color="${textColourOn(block.colour)}"`
      const address = addressMarkup(field('url', block.url), 'link')
      const text = plainMarkup(field('text', block.text))
      lines.add(`<mj-button href="${address}"${own}${alignOf(block)}>${text}</mj-button>`)
      break
    }
    case 'list': {
      const items = block.items.map((item, n) => {
        const text = richMarkup(field(`items[${n}]`, item), style).join('<br />')
        return `<li style="margin:0 0 6px">${text}</li>`
      })
      const tag = block.ordered ? 'ol' : 'ul'
      const side = style.start
      lines.add(
        `<mj-text><${tag} style="margin:0;padding:0;padding-${side}:22px">${items.join('')}</${tag}></mj-text>`,
      )
      break
    }
    case 'quote': {
      const by = block.by === undefined ? '' : plainMarkup(field('by', block.by))
      const source =
        by === '' ? '' : `<p style="margin:8px 0 0;font-size:14px;font-weight:600">${by}</p>`
      lines.add(
        `<mj-text><blockquote style="margin:0;padding:4px 16px;border:0 solid #c7c7d1;border-${style.start}-width:3px">${paragraphs(block.text).join('')}${source}</blockquote></mj-text>`,
      )
      break
    }
    case 'divider':
      lines.add('<mj-divider />')
      break
    case 'spacer':
      lines.add(`<mj-spacer height="${block.height ?? blockLimits.spacerHeight.usual}px" />`)
      break
    case 'view_link':
      lines.add(
        `<mj-text font-size="13px"${alignOf(block)}>${viewLink(block, { at, style }, ink)}</mj-text>`,
      )
      break
    case 'mjml':
      lines.add(block.mjml, `${at}.mjml`)
      break
  }
}

const alignOf = ({ align }: { align?: string }) => (align === undefined ? '' : ` align="${align}"`)
const colourOf = ({ colour }: { colour?: string }) =>
  colour === undefined ? '' : ` color="${colour}"`
