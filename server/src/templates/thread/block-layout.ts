/**
 * Turns blocks into the MJML of a whole mail, which reads well on a phone, in dark mode and without
 * images. Runs in a thread. Every text is escaped; only a block of the type mjml is markup.
 */
import { fontStacks } from '../../accounts/businesses/brand.ts'
import {
  contrastOf,
  distanceOf,
  minimumContrast,
  textColourOn,
} from '../../accounts/settings/contrast.ts'
import { brandLimits } from '../../config/brand.ts'
import { chooseLanguage, wordsIn } from '../../core/recipient-words/languages.ts'
import { escapeHtml } from '../../lib/text/html.ts'
import {
  type Block,
  type BlockMail,
  blockLimits,
  type Columns,
  type FeedBlock,
  type Frame,
  type ImageText,
  type Leaf,
  type MailLook,
} from '../blocks/block.ts'
import { darkLogoStyles, darkStyles } from '../blocks/dark.ts'
import { laidOver } from '../blocks/laid-over.ts'
import { shownTag } from '../blocks/shown.ts'
import { type Network, networks } from '../blocks/types.ts'
import { addressMarkup, type Field, plainMarkup, richMarkup } from './block-markup.ts'
import { SourceError } from './source-error.ts'

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
  /** The colour of text. */
  ink: string
  /** The colour of text where no block has a background. */
  baseInk: string
  /** The colour of the words outside the card. */
  muted: string
  /** The colour behind the block. */
  ground: string
  /** By name, as `[words]{color=name}` takes them. */
  named: Readonly<Record<string, string>>
  look: MailLook
  radius: number
  /** The colour of links and of words in the colour of the business. */
  accent: string
  link: string
  /** Where the service serves pictures. */
  pictures: string
  start: 'left' | 'right'
  dir: 'ltr' | 'rtl'
  /** What a link to the view in the browser says unless its block does. */
  viewWords: string
  /** What the link to unsubscribe says. */
  preferencesWords: string
}

export function layOutBlocks({ blocks, title }: BlockMail, look: MailLook): LaidOut {
  const entries = laidOver(blocks, look.brand)
  const dir = rightToLeft.has(look.language.toLowerCase().split('-')[0] ?? '') ? 'rtl' : 'ltr'
  const colour = look.colour ?? usualColour
  const start = dir === 'rtl' ? 'right' : 'left'
  const { view, mail } = wordsIn(chooseLanguage(look.language), look.brand?.words)
  const [viewWords, preferencesWords] = [view.link, mail.preferences]
  const { pictures } = look
  const palette = paletteOf(look)
  const onCard = coloursOn(palette.card, { ...palette, colour })
  const { muted } = palette
  const radius = look.brand?.radius ?? brandLimits.radius.usual
  const baseInk = onCard.ink
  const style: Style = {
    colour,
    ...onCard,
    ground: palette.card,
    baseInk,
    muted,
    look,
    radius,
    pictures,
    start,
    dir,
    viewWords,
    preferencesWords,
  }
  const lines = new Lines()
  const all = entries.map(({ block }) => block)
  const pictureInks = inksOfPictures(all, style)
  for (const line of head(look, style, { title, pictureInks })) lines.add(line)
  const first = entries[0]?.block
  // Above the card, where readers look for it and where it takes no room from the words.
  const isAbove = first?.type === 'view_link'
  if (isAbove) lines.addShown(first, () => lines.add(viewAbove(first, style)), edge)
  else lines.add(edge)
  lines.add(cardOf(palette.card, radius))
  let isFirstHeading = true
  const levelOf: LevelOf = (level, isOfBrand) => {
    // Headings of the header and footer are none of the mail itself.
    if (isOfBrand) return level ?? 2
    const usual = isFirstHeading ? 1 : 2
    isFirstHeading = false
    return level ?? usual
  }
  const write = (block: Leaf, at: string, within = style) =>
    lines.addShown(block, () =>
      writeLeaf(lines, block, { at, style: styleIn(block, within), levelOf }),
    )
  let isOpen = false
  const open = () => {
    if (!isOpen) lines.add('<mj-section padding="0"><mj-column>')
    isOpen = true
  }
  const close = () => {
    if (isOpen) lines.add('</mj-column></mj-section>')
    isOpen = false
  }
  let onGround: Block | undefined
  for (const [n, { block, at }] of entries.entries()) {
    if (n === 0 && isAbove) continue
    const isOnGround = 'background' in block && block.background !== undefined
    if (onGround && !isOnGround && block.type !== 'spacer') {
      open()
      lines.addShown(onGround, () => lines.add('<mj-spacer height="16px" />'))
    }
    onGround = isOnGround ? block : undefined
    if (block.type === 'columns') {
      close()
      const inside = styleIn(block, style)
      lines.addShown(block, () =>
        writeColumns(lines, block, (leaf, path) => write(leaf, `${at}.${path}`, inside)),
      )
      continue
    }
    if (block.type === 'image_text') {
      close()
      lines.addShown(block, () =>
        writeImageText(lines, block, { at, style: styleIn(block, style), levelOf }),
      )
      continue
    }
    open()
    if (block.type === 'feed') {
      lines.addShown(block, () => writeFeed(lines, block, { at, style: styleIn(block, style) }))
      continue
    }
    write(block, at)
  }
  close()
  lines.add('</mj-wrapper></mj-body></mjml>')
  return { mjml: lines.texts.join('\n'), places: lines.places }
}

type LevelOf = (level: number | undefined, isOfBrand: boolean) => number

class Lines {
  readonly texts: string[] = []
  readonly places: (string | undefined)[] = []

  add(text: string, path?: string): void {
    for (const line of text.split('\n')) {
      this.texts.push(line)
      this.places.push(path)
    }
  }

  /** What a block that only some see becomes, within its condition. */
  addShown({ show_if: filter }: Block, write: () => void, otherwise?: string): void {
    if (filter === undefined) {
      write()
      return
    }
    this.add(`<mj-raw>${shownTag(filter)}</mj-raw>`)
    write()
    if (otherwise !== undefined) this.add(`<mj-raw>{% else %}</mj-raw>\n${otherwise}`)
    this.add('<mj-raw>{% endif %}</mj-raw>')
  }
}

const usualGround = { page: '#f4f4f7', card: '#ffffff' }

/** The colours of the brand by their use, and those of no use by name. */
function paletteOf({ brand }: MailLook) {
  const colours = Object.fromEntries((brand?.colours ?? []).map(({ name, value }) => [name, value]))
  const page = colours['background'] ?? usualGround.page
  const card = colours['card'] ?? usualGround.card
  const muted = contrastOf(mutedInk, page) >= minimumContrast ? mutedInk : textColourOn(page)
  return { page, card, muted, text: colours['text'] ?? ink, named: colours }
}

/** The colours of text on a background: those of the business where they can be read there. */
function coloursOn(
  ground: string,
  palette: { colour: string; text: string; named: Readonly<Record<string, string>> },
): Pick<Style, 'ink' | 'accent' | 'link' | 'named'> {
  const isReadable = (text: string) => contrastOf(text, ground) >= minimumContrast
  const text = [palette.text, ink].find(isReadable) ?? textColourOn(ground)
  const accent = isReadable(palette.colour) ? palette.colour : text
  const readable = Object.entries(palette.named).filter(([, colour]) => isReadable(colour))
  const colours = {
    ...Object.fromEntries(Object.keys(palette.named).map((name) => [name, text])),
    ...Object.fromEntries(readable),
    accent,
  }
  return { ink: text, accent, named: colours, link: `color:${accent};text-decoration:underline` }
}

function styleIn(block: Block, style: Style): Style {
  const background = 'background' in block ? block.background : undefined
  return background === undefined
    ? style
    : {
        ...style,
        ...coloursOn(background, { ...paletteOf(style.look), colour: style.colour }),
        ground: background,
      }
}

/** The colours of text wherever a picture stands: in them, its words are shown where it is blocked. */
function inksOfPictures(blocks: readonly Block[], style: Style): string[] {
  const inks = blocks.flatMap((block) => {
    const inside = styleIn(block, style)
    if (block.type === 'columns') return inksOfPictures(block.columns.flat(), inside)
    const isPicture = 'src' in block || block.type === 'feed'
    return isPicture ? [inside.ink] : []
  })
  return [...new Set(inks)]
}

/** The class of a picture's cell, by which its words get a colour. */
const pictureClass = ({ ink: colour }: Style) => `words-${colour.slice(1)}`

/** Pixels above and below the content of a block that says how much. */
const paddings = { small: 8, medium: 16, large: 32 } as const

/** Pixels above and below a part of a block, and whether the block begins and ends with it. */
interface Part {
  top: number
  bottom: number
  side?: number
  isFirst?: boolean
  isLast?: boolean
}

/** The padding and the background of a part, as attributes. */
function framed(
  { background, padding }: Frame,
  { top, bottom, side = 32, isFirst = true, isLast = true }: Part,
  name = '',
): string {
  const own =
    padding === undefined && background === undefined ? undefined : paddings[padding ?? 'medium']
  const above = isFirst ? (own ?? top) : top
  const below = isLast ? (own ?? bottom) : bottom
  const names = [name, background === undefined ? '' : 'ground'].filter(Boolean).join(' ')
  return [
    ` padding="${above}px ${side}px ${below}px"`,
    background === undefined ? '' : ` container-background-color="${background}"`,
    names === '' ? '' : ` css-class="${names}"`,
  ].join('')
}

/** Text on a background has a colour for it, unless it has one of its own. */
const inkOf = ({ background, colour }: Frame & { colour?: string }, style: Style) => {
  const own =
    colour ?? (background === undefined && style.ink === style.baseInk ? undefined : style.ink)
  return own === undefined ? '' : ` color="${own}"`
}

function head(
  look: MailLook,
  style: Style,
  { title, pictureInks }: { title: string; pictureInks: readonly string[] },
): string[] {
  const { colour, start, dir, radius, baseInk } = style
  const { language, brand } = look
  const hasDarkLogo = brand?.logo?.darkFile !== undefined
  return [
    `<mjml lang="${escapeHtml(language)}" dir="${dir}"><mj-head>`,
    `<mj-title>${plainMarkup({ text: title, field: 'subject' })}</mj-title><mj-attributes>`,
    `<mj-all font-family="${fontStacks[brand?.font ?? 'system']}" />`,
    `<mj-section direction="${dir}" /><mj-wrapper direction="${dir}" /><mj-column direction="${dir}" />`,
    `<mj-text font-size="16px" line-height="1.6" color="${baseInk}" padding="0 32px 16px" align="${start}" />`,
    `<mj-button background-color="${colour}" color="${textColourOn(colour)}" font-size="16px" font-weight="600" border-radius="${radius}px" inner-padding="14px 28px" padding="8px 32px 24px" align="${start}" />`,
    `<mj-image padding="0 32px 16px" font-size="14px" border-radius="${radius}px" align="${start}" />`,
    '<mj-divider border-width="1px" border-color="#d9d9e0" padding="8px 32px 24px" css-class="rule" />',
    '</mj-attributes><mj-raw>',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    `<style data-embed="true">${mutedStyle(style)}${darkStyles(look.colour)}${hasDarkLogo ? darkLogoStyles : ''}</style>`,
    ...pictureInks.map((pictureInk) => {
      const name = pictureClass({ ...style, ink: pictureInk })
      return `<style>.${name} a,.${name} img{color:${pictureInk}}.${name} img{line-height:1.4!important}</style>`
    }),
    '</mj-raw></mj-head>',
    `<mj-body background-color="${paletteOf(look).page}" css-class="page">`,
  ]
}

const edge =
  '<mj-section padding="12px 0" css-class="edge"><mj-column><mj-spacer height="8px" /></mj-column></mj-section>'
/** The service's own footer, whose usual colour is for a light page. */
const mutedStyle = ({ muted }: Style) =>
  muted === mutedInk ? '' : `.crier-footer,.crier-footer a{color:${muted}!important}`

const cardOf = (colour: string, radius: number) =>
  `<mj-wrapper background-color="${colour}" border-radius="${Math.round(radius * 1.5)}px" padding="32px 0 16px" css-class="card">`

type ViewLink = Extract<Leaf, { type: 'view_link' }>

function viewAbove(block: ViewLink, style: Style): string {
  const link = viewLink(block, { at: 'blocks[0]', style }, style.muted)
  return `<mj-section padding="16px 0 12px" css-class="edge muted"><mj-column><mj-text font-size="13px" padding="0 32px"${alignOf(block)}>${link}</mj-text></mj-column></mj-section>`
}

/** Nothing in mail that has no such view, such as a receipt. */
function viewLink(
  { text }: ViewLink,
  { at, style }: Pick<Around, 'at' | 'style'>,
  colour: string,
): string {
  const words =
    text === undefined ? escapeHtml(style.viewWords) : plainMarkup({ text, field: `${at}.text` })
  const look = `color:${colour};text-decoration:underline`
  return `{% if view_url != blank %}<a href="{{ view_url }}" class="link" style="${look}">${words}</a>{% endif %}`
}

/**
 * A section with the background and the padding of its block. `lower` is what its content has below
 * itself: it is taken from the padding, so that there is as much above.
 */
function section(
  { background, padding }: Frame,
  { side, lower = 0, more = '' }: { side: number; lower?: number; more?: string },
): string {
  const isFramed = padding !== undefined || background !== undefined
  const height = isFramed ? paddings[padding ?? 'medium'] : 0
  const shift = isFramed ? lower / 2 : 0
  const ground =
    background === undefined ? '' : ` background-color="${background}" css-class="ground"`
  return `<mj-section padding="${height + shift}px ${side}px ${height - shift}px"${ground}${more}>`
}

function writeColumns(
  lines: Lines,
  block: Columns,
  write: (block: Leaf, path: string) => void,
): void {
  lines.add(section(block, { side: 0, lower: usualText.bottom }))
  for (const [n, column] of block.columns.entries()) {
    lines.add('<mj-column>')
    for (const [m, block] of column.entries()) write(block, `columns[${n}][${m}]`)
    lines.add('</mj-column>')
  }
  lines.add('</mj-section>')
}

/** On a phone the text stands below the image, whichever side the image has. */
function writeImageText(lines: Lines, block: ImageText, { at, style }: Around): void {
  const side = block.side ?? style.start
  const { src, alt, url, text } = block
  const words = alt === undefined ? '' : plainMarkup({ text: alt, field: `${at}.alt` })
  const href =
    url === undefined ? '' : ` href="${addressMarkup({ text: url, field: `${at}.url` }, 'link')}"`
  const address = addressMarkup({ text: src, field: `${at}.src` }, 'image')
  const own = block.background !== undefined || block.padding !== undefined
  const direction = ` direction="${side === 'right' ? 'rtl' : 'ltr'}"`
  lines.add(section(block, { side: 16, more: direction }))
  const column = (width: number) =>
    `<mj-column width="${width}%" vertical-align="middle" direction="${style.dir}">`
  lines.add(
    `${column(40)}<mj-image src="${address}" alt="${words}"${href} padding="${own ? 8 : 0}px 16px ${own ? 8 : 16}px" css-class="${pictureClass(style)}" fluid-on-mobile="true" /></mj-column>`,
  )
  const paragraphs = paragraphsIn({ text, field: `${at}.text` }, style)
  lines.add(
    `${column(60)}<mj-text padding="${own ? 8 : 0}px 16px ${own ? 8 : 16}px"${inkOf(block, style)}>${paragraphs}</mj-text></mj-column></mj-section>`,
  )
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

/** Paragraphs of text with marks and links. */
function paragraphsIn(field: Field, style: Style): string {
  const all = richMarkup(field, style)
  const paragraph = (entry: string, n: number) =>
    `<p style="margin:0${n < all.length - 1 ? ' 0 16px' : ''}">${entry}</p>`
  return all.map(paragraph).join('')
}

function writeLeaf(lines: Lines, block: Leaf, { at, style, levelOf }: Around): void {
  const field = (name: string, text: string) => ({ text, field: `${at}.${name}` })
  const paragraphs = (text: string) => paragraphsIn(field('text', text), style)
  const image = (
    { src, alt, url, width }: { src: string; alt?: string; url?: string; width?: number },
    attributes: string,
  ) => {
    const size = width === undefined ? '' : ` width="${width}px"`
    const href = url === undefined ? '' : ` href="${addressMarkup(field('url', url), 'link')}"`
    const words = alt === undefined || alt === '' ? '' : plainMarkup(field('alt', alt))
    const address = addressMarkup(field('src', src), 'image')
    return `<mj-image src="${address}" alt="${words}"${size}${href}${attributes} />`
  }
  const text = (frame: Frame & { colour?: string; align?: string }, content: string) =>
    `<mj-text${framed(frame, usualText)}${alignOf(frame)}${inkOf(frame, style)}>${content}</mj-text>`
  switch (block.type) {
    case 'heading': {
      const level = levelOf(block.level, at.startsWith('brand.'))
      const words = plainMarkup(field('text', block.text))
      lines.add(text(block, `<h${level} style="${headingStyles[level - 1]}">${words}</h${level}>`))
      break
    }
    case 'text':
      lines.add(text(block, paragraphs(block.text)))
      break
    case 'image':
      lines.add(image(block, framed(block, usualText, pictureClass(style)) + alignOf(block)))
      break
    case 'logo': {
      const { usual } = blockLimits.logoWidth
      const { src, alt, width = style.look.brand?.logo?.width ?? usual, align = 'center' } = block
      const part = { top: 0, bottom: 24 }
      if (src === undefined) {
        const frame = `${framed(block, part)} align="${align}"${inkOf(block, style)}`
        lines.add(`<mj-text${frame}>${brandLogo(block, { field, style, width })}</mj-text>`)
        break
      }
      const own = { ...block, src, ...(alt !== undefined && { alt }), width }
      const look = framed(block, part, pictureClass(style))
      lines.add(image(own, `${look} border-radius="0" align="${align}"`))
      break
    }
    case 'button': {
      const address = addressMarkup(field('url', block.url), 'link')
      const words = plainMarkup(field('text', block.text))
      const look = framed(block, usualButton) + buttonColour(block.colour, style) + alignOf(block)
      lines.add(`<mj-button href="${address}"${look}>${words}</mj-button>`)
      break
    }
    case 'list': {
      const items = block.items.map((item, n) => {
        const words = richMarkup(field(`items[${n}]`, item), style).join('<br />')
        return `<li style="margin:0 0 6px">${words}</li>`
      })
      const tag = block.ordered ? 'ol' : 'ul'
      const side = style.start
      const list = `<${tag} style="margin:0;padding:0;padding-${side}:22px">${items.join('')}</${tag}>`
      lines.add(text(block, list))
      break
    }
    case 'quote': {
      const by = block.by === undefined ? '' : plainMarkup(field('by', block.by))
      const source =
        by === '' ? '' : `<p style="margin:8px 0 0;font-size:14px;font-weight:600">${by}</p>`
      const quote = `<blockquote style="margin:0;padding:4px 16px;border:0 solid #c7c7d1;border-${style.start}-width:3px">${paragraphs(block.text)}${source}</blockquote>`
      lines.add(text(block, quote))
      break
    }
    case 'divider':
      lines.add(`<mj-divider${framed(block, usualButton, 'rule')} />`)
      break
    case 'spacer': {
      const ground =
        block.background === undefined
          ? ''
          : ` container-background-color="${block.background}" css-class="ground"`
      lines.add(
        `<mj-spacer height="${block.height ?? blockLimits.spacerHeight.usual}px"${ground} />`,
      )
      break
    }
    case 'view_link':
      lines.add(
        `<mj-text font-size="13px"${alignOf(block)}${inkOf({}, style)}>${viewLink(block, { at, style }, style.ink)}</mj-text>`,
      )
      break
    case 'mjml':
      lines.add(block.mjml, `${at}.mjml`)
      break
    case 'social': {
      const addresses =
        block.links ?? (style.look.brand?.social as { network: Network; url: string }[])
      const links = (addresses ?? []).map(({ network, url }, n) => {
        const address = addressMarkup(field(`links[${n}].url`, url), 'link')
        const icon = networkIcon(
          `src="${style.pictures}network-${network}.png" alt="${networks[network]}"`,
        )
        return `<a href="${address}" class="link" style="${style.link};display:inline-block;margin:4px 6px;font-size:13px">${icon}</a>`
      })
      if (links.length > 0) lines.add(text({ align: 'center', ...block }, links.join(' ')))
      break
    }
    case 'product':
      if (block.each !== undefined) {
        lines.add(`<mj-raw>{% for item in ${block.each} %}</mj-raw>`)
      }
      writeProduct(lines, block, { image, field, style })
      if (block.each !== undefined) lines.add('<mj-raw>{% endfor %}</mj-raw>')
      break
    case 'code': {
      const label =
        block.text === undefined
          ? ''
          : `<p style="margin:0 0 4px;font-size:14px">${plainMarkup(field('text', block.text))}</p>`
      const words = plainMarkup(field('code', block.code))
      // A cell, because Outlook gives other elements no padding.
      const box = `<table role="presentation" class="code" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="border:2px dashed ${style.accent};border-radius:${style.radius}px;padding:16px;text-align:center">${label}<p dir="ltr" style="margin:0;font-family:Consolas,Menlo,monospace;font-size:24px;font-weight:700;letter-spacing:2px;line-height:1.3;word-break:break-word;-webkit-user-select:all;user-select:all">${words}</p></td></tr></table>`
      lines.add(text(block, box))
      break
    }
    case 'receipt':
      lines.add(text(block, receiptTable(block, { field, style })))
      break
    case 'footer': {
      const colour = style.ink === style.baseInk ? style.muted : style.ink
      const words = block.text === undefined ? '' : paragraphs(block.text)
      lines.add(
        `<mj-text font-size="12px" line-height="1.5" color="${colour}"${framed(block, { top: 16, bottom: 16 }, 'muted')} align="${block.align ?? 'center'}">${words}${legalLines(colour, style)}</mj-text>`,
      )
      break
    }
  }
}

const iconStyle =
  'display:inline-block;width:auto;height:32px;border:0;line-height:32px!important;vertical-align:middle;white-space:nowrap'

/**
 * As wide as its picture, or as its name where pictures are blocked: a browser cuts the name at a width
 * that is given. Outlook needs the width.
 */
const networkIcon = (attributes: string) =>
  `<!--[if mso]><img ${attributes} width="32" height="32" border="0" /><![endif]--><!--[if !mso]><!--><img ${attributes} height="32" style="${iconStyle}" /><!--<![endif]-->`

interface Writing {
  field: (name: string, text: string) => Field
  style: Style
}

/** The logo of the brand, one for dark mode if there is, or the name of the business. */
function brandLogo(
  { alt, url }: Of<'logo'>,
  { field, style, width }: Writing & { width: number },
): string {
  const { pictures, look } = style
  const logo = look.brand?.logo
  const name = alt ?? logo?.alt
  const words = name === undefined ? '{{ business.name }}' : plainMarkup(field('alt', name))
  const picture = (file: string, more: string) =>
    `<img src="${pictures}${file}" alt="${words}" width="${width}" ${more} />`
  const size = `width:${width}px;max-width:100%;height:auto;border:0;font-weight:700;line-height:1.3!important`
  const light = (logoFile: string) => {
    const dark = logo?.darkFile
    const name = dark === undefined ? '' : 'class="logo-light" '
    const image = picture(logoFile, `${name}style="${size};display:inline-block"`)
    if (dark === undefined) return image
    const hidden = picture(dark, `class="logo-dark" style="${size};display:none"`)
    return `${image}<!--[if !mso]><!-->${hidden}<!--<![endif]-->`
  }
  const mark =
    logo === undefined
      ? `<span style="font-size:20px;font-weight:700">${words}</span>`
      : light(logo.file)
  const target = url ?? logo?.link
  if (target === undefined) return mark
  const address = addressMarkup(field('url', target), 'link')
  return `<a href="${address}" style="color:${style.ink};text-decoration:none">${mark}</a>`
}

const usualText = { top: 0, bottom: 16 }
const usualButton = { top: 8, bottom: 24 }

type Of<Kind extends Leaf['type']> = Extract<Leaf, { type: Kind }>

/** An image, the name and price, and a button, one below the other. */
function writeProduct(
  lines: Lines,
  block: Of<'product'>,
  { image, field, style }: Writing & { image: (of: Of<'product'>, attributes: string) => string },
): void {
  const { name, price, text, url, button } = block
  const align = alignOf(block)
  const look = framed(block, { top: 0, bottom: 12, isLast: false }, pictureClass(style))
  const fluid = block.width === undefined ? ' fluid-on-mobile="true"' : ''
  const alt = block.alt ?? (url === undefined ? '' : name)
  lines.add(image({ ...block, alt }, look + align + fluid))
  const words = plainMarkup(field('name', name))
  const address = url === undefined ? '' : addressMarkup(field('url', url), 'link')
  const title =
    url === undefined || button !== undefined
      ? words
      : `<a href="${address}" class="link" style="${style.link}">${words}</a>`
  const cost =
    price === undefined
      ? ''
      : `<p style="margin:4px 0 0;font-weight:600">${plainMarkup(field('price', price))}</p>`
  const about =
    text === undefined
      ? ''
      : `<div style="margin:8px 0 0">${paragraphsIn(field('text', text), style)}</div>`
  const isLast = button === undefined
  const part = { top: 0, bottom: isLast ? 16 : 8, isFirst: false, isLast }
  lines.add(
    `<mj-text${framed(block, part)}${align}${inkOf(block, style)}><p style="margin:0;font-size:19px;font-weight:600;line-height:1.3">${title}</p>${cost}${about}</mj-text>`,
  )
  if (button === undefined) return
  const end = framed(block, { ...usualButton, isFirst: false }) + buttonColour(undefined, style)
  const label = plainMarkup(field('button', button))
  lines.add(`<mj-button href="${address}"${end}${align}>${label}</mj-button>`)
}

/** The items of a feed. They are words of strangers: escaped, and no sign in them is Liquid. */
function writeFeed(
  lines: Lines,
  block: FeedBlock,
  { at, style }: Pick<Around, 'at' | 'style'>,
): void {
  if (!block.items) {
    throw new SourceError(
      at,
      'is the place of the items of a feed: only the mail of feed.save has it.',
    )
  }
  const inert = (text: string) =>
    escapeHtml(text).replaceAll('{', '&#123;').replaceAll('}', '&#125;')
  const button =
    block.button === undefined ? '' : plainMarkup({ text: block.button, field: `${at}.button` })
  for (const [n, { title, url, text, src, about }] of block.items.entries()) {
    const part = { isFirst: n === 0, isLast: n === (block.items.length ?? 0) - 1 }
    const itemPlace = `${at}.items[${n}]`
    // Throws for what is no web address.
    addressMarkup({ text: url, field: `${itemPlace}.url` }, 'link')
    const href = inert(url)
    if (src !== undefined) addressMarkup({ text: src, field: `${itemPlace}.src` }, 'image')
    if (src !== undefined) {
      const look = framed(
        block,
        { top: 0, bottom: 12, ...part, isLast: false },
        pictureClass(style),
      )
      lines.add(
        `<mj-image src="${inert(src)}" alt="" href="${href}"${look} fluid-on-mobile="true" />`,
      )
    }
    const small = `margin:4px 0 0;font-size:13px;line-height:1.4`
    const words = [
      `<p style="margin:0;font-size:19px;font-weight:600;line-height:1.3"><a href="${href}" class="link" style="${style.link}">${inert(title)}</a></p>`,
      about === undefined ? '' : `<p style="${small}">${inert(about)}</p>`,
      text === undefined ? '' : `<p style="margin:8px 0 0">${inert(text)}</p>`,
    ].join('')
    const isEnd = button === ''
    const end = {
      top: 0,
      bottom: isEnd ? 24 : 8,
      isFirst: part.isFirst && src === undefined,
      isLast: part.isLast && isEnd,
    }
    lines.add(`<mj-text${framed(block, end)}${inkOf(block, style)}>${words}</mj-text>`)
    if (isEnd) continue
    const padding = { ...usualButton, isFirst: false, isLast: part.isLast }
    const look = framed(block, padding) + buttonColour(undefined, style)
    lines.add(`<mj-button href="${href}"${look}>${button}</mj-button>`)
  }
}

/** What marketing needs. The footer that is added to a mail without it is then left out. */
const legalLines = (colour: string, { preferencesWords }: Style) =>
  [
    '<p style="margin:0 0 8px">{% unless business.postal_address contains business.name %}{{ business.name }}<br />{% endunless %}{{ business.postal_address | newline_to_br }}</p>',
    `{% if unsubscribe_url != blank %}<p style="margin:0"><a href="{{ unsubscribe_url }}" class="link" style="color:${colour};text-decoration:underline">${escapeHtml(preferencesWords)}</a></p>{% endif %}`,
  ].join('')

/** A table of data: a screen reader says the name with each quantity and price. */
function receiptTable(
  { each, rows, totals = [] }: Of<'receipt'>,
  { field, style }: Writing,
): string {
  const { start } = style
  const end = start === 'left' ? 'right' : 'left'
  const hasQuantities = rows.some(({ quantity }) => quantity !== undefined)
  const words = (list: string, n: number, name: string, text: string) =>
    plainMarkup(field(`${list}[${n}].${name}`, text))
  const line = 'border-bottom:1px solid #d9d9e0'
  const number = (content: string, more: string) =>
    `<td align="${end}" valign="top" style="padding:8px 0;padding-${start}:12px;text-align:${end};white-space:nowrap;${more}">${content}</td>`
  const entries = rows.map(({ name, quantity, price }, n) => {
    const count = quantity === undefined ? '' : words('rows', n, 'quantity', quantity)
    return `<tr><th scope="row" align="${start}" valign="top" style="padding:8px 0;text-align:${start};font-weight:400;${line}">${words('rows', n, 'name', name)}</th>${hasQuantities ? number(count, line) : ''}${number(words('rows', n, 'price', price), line)}</tr>`
  })
  const repeated =
    each === undefined ? entries : [`{% for item in ${each} %}`, ...entries, '{% endfor %}']
  const sums = totals.map(({ name, price }, n) => {
    const weight = `font-weight:${n === totals.length - 1 ? 700 : 400}`
    const across = hasQuantities ? ' colspan="2"' : ''
    return `<tr><th scope="row"${across} align="${end}" style="padding:8px 0;text-align:${end};${weight}">${words('totals', n, 'name', name)}</th>${number(words('totals', n, 'price', price), weight)}</tr>`
  })
  return `<table class="crier-receipt" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;border-collapse:collapse">${repeated.join('')}${sums.join('')}</table>`
}

const alignOf = ({ align }: { align?: string }) => (align === undefined ? '' : ` align="${align}"`)

/**
 * A button with less contrast to what is behind it is lost there, unless it is of another hue, as yellow is on
 * white.
 */
const shapeContrast = 1.5
const shapeDistance = 96

/** The colour of its own, or that of the text where it would be lost on the background. */
function buttonColour(own: string | undefined, { colour, ground, ink: text }: Style): string {
  const choice = own ?? colour
  const isSeen =
    contrastOf(choice, ground) >= shapeContrast || distanceOf(choice, ground) >= shapeDistance
  if (own === undefined && isSeen) return ''
  const fill = isSeen ? choice : text
  return ` background-color="${fill}" color="${textColourOn(fill)}"`
}
