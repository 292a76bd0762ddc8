/**
 * Turns HTML or MJML that another program made into blocks: words, headings, pictures, buttons,
 * lists, rules, columns, icons of networks and the footer. What is none of these stays as it is, as
 * one block of HTML, and is told. Every element is read once.
 */
import { type AnyNode, type Element, isTag, isText } from 'domhandler'
import { escapeHtml } from '../../../lib/text/html.ts'
import { type Block, blockLimits, type Leaf } from '../../blocks/block.ts'
import { type Network, networks } from '../../blocks/types.ts'
import { type FieldRead, mergeTags } from './merge-tags.ts'
import {
  isHidden,
  isPicture,
  isUnseen,
  networkOf,
  type Page,
  pageOf,
  stylesOf,
  withoutUnseen,
} from './page.ts'
import { type Marks, plain, plainWords, Words } from './words.ts'

export interface Foreign {
  source: string
  isMjml: boolean
  /** Keys of the business's own fields. */
  ownFields: readonly string[]
  year: number
}

/** What the caller is told of the parts that are not the same as they were. */
interface Losses {
  /** Parts that stay as HTML. */
  keptAsHtml: number
  /** Scripts, forms, videos and frames, which no mail program runs. */
  removed: number
  /** Pictures without a complete address, such as those that lay beside the file. */
  picturesLost: number
  /** Blocks after the most that a mail takes. */
  blocksLost: number
}

export interface Converted {
  blocks: Block[]
  subject: string
  preheader: string
  fields: FieldRead[]
  losses: Losses
}

type Align = 'left' | 'center' | 'right'

/** What holds for everything within an element. */
interface Around {
  marks: Marks
  align: Align | undefined
}

export function convertMail({ source, isMjml, ownFields, year }: Foreign): Converted {
  const { root, inside } = pageOf(source, isMjml)
  const tags = mergeTags(ownFields, year)
  const losses: Losses = { keptAsHtml: 0, removed: 0, picturesLost: 0, blocksLost: 0 }
  let [subject, preheader] = ['', '']
  let hasFooter = false
  let words = new Words()
  let blocks: Block[] = []
  let align: Align | undefined
  let isWithin = false
  let keepsParts = true

  for (const child of root.children) read(child, { marks: plain, align: undefined })
  endWords()
  if (hasFooter) blocks.push({ type: 'footer' })
  return { blocks: fitting(blocks), subject, preheader, fields: tags.found(), losses }

  function put(block: Block): void {
    endWords()
    blocks.push(block)
  }

  /** The words so far become a block, but for lines that are ours in each mail. */
  function endWords(): void {
    const paragraphs: string[] = []
    for (const paragraph of words.take()) {
      if (isLegal(paragraph)) hasFooter = true
      else if (paragraph.includes('view_url')) blocks.push({ type: 'view_link' })
      else paragraphs.push(paragraph)
    }
    const side = align === undefined || align === 'left' ? {} : { align }
    for (const text of inLengths(paragraphs)) {
      const last = blocks.at(-1)
      const joined = last?.type === 'text' ? `${last.text}\n\n${text}` : ''
      const isOneText = last?.type === 'text' && last.align === side.align
      if (isOneText && joined.length <= blockLimits.textLength) last.text = joined
      else blocks.push({ type: 'text', text, ...side })
    }
  }

  function read(node: AnyNode, around: Around): void {
    if (isText(node)) {
      align = around.align
      words.add(tags.pieces(withoutUnseen(node.data)), around.marks)
      return
    }
    if (isTag(node)) readElement(node, around)
    else if ('children' in node) for (const child of node.children) read(child, around)
  }

  function readElement(element: Element, around: Around): void {
    const { name, attribs } = element
    if (name === 'title' || name === 'mj-title') {
      subject ||= plainWords(tags.pieces(shownText(element))).slice(0, 200)
      return
    }
    if (name === 'mj-preview') {
      preheader ||= plainWords(tags.pieces(shownText(element))).slice(0, 200)
      return
    }
    if (name === 'head' || name === 'mj-head') {
      // Only what names the mail is read in there.
      for (const child of element.children) {
        if (isTag(child) && /^(?:title|mj-title|mj-preview)$/.test(child.name)) {
          readElement(child, around)
        }
      }
      return
    }
    if (isUnseen(name)) {
      if (removedNames.has(name)) losses.removed++
      return
    }
    if (isHidden(element) || /\bmcnPreviewText\b/.test(attribs['class'] ?? '')) {
      preheader ||= plainWords(tags.pieces(shownText(element))).slice(0, 200)
      return
    }
    if (name === 'form') losses.removed++
    switch (name) {
      case 'br':
        words.break()
        return
      case 'img':
      case 'mj-image':
        readPicture(element, around)
        return
      case 'hr':
      case 'mj-divider':
        put({ type: 'divider' })
        return
      case 'mj-spacer':
        endWords()
        return
      case 'a':
        readLink(element, around)
        return
      case 'mj-button':
        putButton(element, around)
        return
      case 'mj-social':
        readProfiles(element)
        return
      case 'mj-table':
      case 'mj-navbar':
      case 'mj-accordion':
      case 'mj-carousel':
        if (keepsParts) keep(element)
        else readContainer(element, around)
        return
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        readHeading(element, around)
        return
      case 'ul':
      case 'ol':
        readList(element, around)
        return
      case 'blockquote':
        readQuote(element, around)
        return
      case 'table':
        if (keepsParts && isOfData(element, inside)) keep(element)
        else readContainer(element, within(element, around))
        return
      case 'tr':
        readRow(element, around)
        return
    }
    if (inline.has(name)) {
      const next = { ...around, marks: marksOf(element, around.marks) }
      for (const child of element.children) read(child, next)
      return
    }
    readContainer(element, within(element, around))
  }

  /** A block with others within it, such as a cell of a layout. */
  function readContainer(element: Element, around: Around): void {
    words.endParagraph()
    if (align !== around.align) endWords()
    const { links, profiles, words: count, images } = inside(element)
    if (profiles > 1 && profiles === links && count === 0) {
      readProfiles(element)
      return
    }
    const { name } = element
    if (links === 0 && count === 0 && images === 0) {
      if (isRule(element)) put({ type: 'divider' })
      else for (const child of element.children) read(child, around)
      return
    }
    const sides = sideBySide(element)
    if (sides) {
      putColumns(sides, around)
      return
    }
    if (isButton(element) && links === 1 && count === 0 && images === 0) {
      const link = firstLink(element)
      if (link && link.attribs['href'] !== undefined) {
        putButton(link, around)
        return
      }
    }
    for (const child of element.children) read(child, around)
    words.endParagraph()
    if (name === 'td' || name === 'th' || name === 'mj-text') endWords()
  }

  function readRow(row: Element, around: Around): void {
    const cells = row.children.filter(isTag).filter(saysAnything)
    const here = within(row, around)
    if (cells.length < 2 || isWithin) {
      readContainer(row, here)
      return
    }
    const { links, profiles, words: count } = inside(row)
    if (profiles > 1 && profiles === links && count === 0) readProfiles(row)
    else if (cells.length <= blockLimits.columns.most) putColumns(cells, here)
    else if (keepsParts) keep(row)
    else readContainer(row, here)
  }

  function saysAnything(element: Element): boolean {
    const { words: count, links, images } = inside(element)
    return count + links + images > 0
  }

  /** Elements within this one that stand beside each other on a wide screen. */
  function sideBySide(element: Element): Element[] | undefined {
    if (isWithin || element.name === 'tr' || element.name === 'tbody') return undefined
    const children = element.children.filter(isTag).filter(saysAnything)
    const { columns: limits } = blockLimits
    if (children.length < limits.least || children.length > limits.most) return undefined
    if (element.children.some((child) => isText(child) && child.data.trim() !== ''))
      return undefined
    return children.every(isBeside) ? children : undefined
  }

  function putColumns(sides: readonly Element[], around: Around): void {
    endWords()
    const outside = { blocks, words, align }
    isWithin = true
    const columns: Leaf[][] = []
    for (const side of sides) {
      blocks = []
      words = new Words()
      read(side, around)
      endWords()
      if (blocks.length > 0) columns.push(blocks as Leaf[])
    }
    isWithin = false
    ;({ blocks, words, align } = outside)
    const [only] = columns
    if (columns.length > 1) blocks.push({ type: 'columns', columns })
    else if (only) blocks.push(...only)
  }

  function readHeading(element: Element, around: Around): void {
    const { images, words: count, links } = inside(element)
    if (images > 0 || links > 0) {
      readContainer(element, within(element, { ...around, marks: { ...around.marks, bold: true } }))
      return
    }
    const text = plainWords(tags.pieces(shownText(element)))
    if (count === 0 || text === '') return
    const level = Math.min(Number(element.name.at(-1)), 3)
    const { align: side } = within(element, around)
    if (text.length > blockLimits.headingLength) {
      readContainer(element, within(element, around))
      return
    }
    put({
      type: 'heading',
      text,
      level,
      ...(side !== undefined && side !== 'left' && { align: side }),
    })
  }

  function readPicture(element: Element, around: Around): void {
    if (!isPicture(element)) return
    const { attribs } = element
    const src = tags.address(attribs['src'] ?? '').trim()
    if (!isOn(src, ['https://', 'http://'], blockLimits.urlLength)) {
      losses.picturesLost++
      return
    }
    const alt = plainWords(tags.pieces(attribs['alt'] ?? '')).slice(0, blockLimits.altLength)
    const url = element.name === 'mj-image' ? addressOf(attribs['href']) : around.marks.href
    const width = Number.parseInt(attribs['width'] ?? '', 10)
    const { imageWidth: limits } = blockLimits
    const isNarrow =
      width >= limits.least && width < limits.most && !attribs['width']?.includes('%')
    const side = sideOf(attribs) ?? around.align
    // A link needs words: its own address says more than nothing.
    const label = alt === '' && url !== undefined ? hostOf(url) : alt
    put({
      type: 'image',
      src,
      ...(label === '' ? { decorative: true } : { alt: label }),
      ...(url !== undefined && { url }),
      ...(isNarrow && { width }),
      ...(side !== undefined && side !== 'left' && { align: side }),
    })
  }

  function readLink(element: Element, around: Around): void {
    const url = addressOf(element.attribs['href'])
    const { images, tables } = inside(element)
    if (url !== undefined && images === 0 && tables === 0 && isButton(element)) {
      putButton(element, around)
      return
    }
    const marks = marksOf(element, around.marks)
    const next = { ...around, marks: { ...marks, underline: false, href: url ?? marks.href } }
    for (const child of element.children) read(child, next)
  }

  function putButton(element: Element, around: Around): void {
    const url = addressOf(element.attribs['href'])
    const text = plainWords(tags.pieces(shownText(element)))
    if (text === '') return
    if (url === undefined || text.length > blockLimits.buttonLength) {
      words.add(tags.pieces(shownText(element)), { ...around.marks, href: url })
      words.endParagraph()
      return
    }
    const side = sideOf(element.attribs) ?? around.align
    put({
      type: 'button',
      text,
      url,
      ...(side !== undefined && side !== 'left' && { align: side }),
    })
  }

  function readProfiles(element: Element): void {
    const links = new Map<Network, string>()
    for (const link of linksIn(element)) {
      const href = addressOf(link.attribs['href'])
      const network = href === undefined ? undefined : networkOf(href)
      if (href !== undefined && network !== undefined && network in networks) {
        links.set(network as Network, href)
      }
    }
    if (links.size === 0) return
    const list = [...links].slice(0, blockLimits.socialLinks)
    put({ type: 'social', links: list.map(([network, url]) => ({ network, url })) })
  }

  function readList(element: Element, around: Around): void {
    const entries = element.children.filter(isTag).filter(({ name }) => name === 'li')
    if (inside(element).images > 0 || inside(element).tables > 0) {
      readContainer(element, around)
      return
    }
    endWords()
    const items: string[] = []
    for (const entry of entries) {
      for (const child of entry.children) {
        // The entries of a nested list become entries of this list.
        if (isTag(child) && /^[uo]l$/.test(child.name)) {
          items.push(...words.take().slice(0, 1))
          for (const inner of child.children) {
            read(inner, around)
            items.push(...words.take())
          }
        } else read(child, around)
      }
      const text = words.take().join(' ').replaceAll('\n', ' ')
      if (text !== '') items.push(text)
    }
    const ordered = element.name === 'ol'
    const { items: itemsEach, itemLength } = blockLimits
    const fit = items.filter(({ length }) => length <= itemLength)
    for (let at = 0; at < fit.length; at += itemsEach) {
      blocks.push({
        type: 'list',
        items: fit.slice(at, at + itemsEach),
        ...(ordered && { ordered }),
      })
    }
    for (const text of inLengths(items.filter(({ length }) => length > itemLength))) {
      blocks.push({ type: 'text', text })
    }
  }

  function readQuote(element: Element, around: Around): void {
    const { images, tables } = inside(element)
    if (images > 0 || tables > 0) {
      readContainer(element, around)
      return
    }
    endWords()
    for (const child of element.children) read(child, around)
    for (const text of inLengths(words.take())) blocks.push({ type: 'quote', text })
  }

  /** As one block of HTML, or as words where it is longer than a block takes. */
  function keep(element: Element): void {
    endWords()
    if (!saysAnything(element)) return
    const html = htmlOf(element)
    const rows = element.name === 'tr' ? `<table width="100%">${html}</table>` : html
    const mjml =
      element.name === 'mj-table'
        ? `<mj-table>${html}</mj-table>`
        : `<mj-text>\n${rows}\n</mj-text>`
    if (mjml.length <= blockLimits.mjmlLength) {
      losses.keptAsHtml++
      blocks.push({ type: 'mjml', mjml })
      return
    }
    // What is within it is as long, so it is not tried again there.
    const before = keepsParts
    keepsParts = false
    for (const child of element.children) read(child, { marks: plain, align: undefined })
    keepsParts = before
  }

  /** With the elements and attributes of words, pictures and tables alone. */
  function htmlOf(element: Element): string {
    const inner = element.children
      .map((child) => {
        if (isText(child)) {
          return tags
            .pieces(child.data)
            .map((piece) =>
              'words' in piece
                ? escapeHtml(piece.words)
                : 'field' in piece
                  ? piece.field
                  : piece.slot,
            )
            .join('')
        }
        if (!isTag(child) || isUnseen(child.name) || isHidden(child)) return ''
        if (child.name === 'img' && !isPicture(child)) return ''
        return htmlOf(child)
      })
      .join('')
    const { name } = element
    if (name === 'tr' || keptNames.has(name)) return tagOf(element, inner)
    return name.startsWith('mj-') || !inline.has(name) ? `${inner} ` : inner
  }

  function tagOf({ name, attribs }: Element, inner: string): string {
    const attributes = Object.entries(attribs).flatMap(([attribute, value]) => {
      if (attribute === 'href' || attribute === 'src') {
        const url = addressOf(value)
        return url === undefined ? [] : [`${attribute}="${quoted(url)}"`]
      }
      if (!keptAttributes.has(attribute)) return []
      if (attribute === 'style' && /url\s*\(|expression|[{}<>\\]|@/i.test(value)) return []
      return [`${attribute}="${escapeHtml(value.replace(/[{}]/g, ''))}"`]
    })
    const opening = [name, ...attributes].join(' ')
    return name === 'img' || name === 'br' || name === 'hr'
      ? `<${opening} />`
      : `<${opening}>${inner}</${name}>`
  }

  function addressOf(href: string | undefined): string | undefined {
    if (href === undefined) return undefined
    const address = tags.address(href).trim().replaceAll(' ', '%20')
    const fields = address.replace(/\{\{%20([^{}]*)%20\}\}/g, (_all, field: string) => {
      return `{{ ${field.replaceAll('%20', ' ')} }}`
    })
    const own = /^(?:https?:\/\/)?(\{\{ (?:unsubscribe|preferences|view)_url \}\})$/.exec(
      fields,
    )?.[1]
    if (own !== undefined) return own
    return isOn(fields, ['https://', 'http://', 'mailto:', 'tel:'], blockLimits.urlLength)
      ? fields
      : undefined
  }

  /** At most as many as a mail takes. Of columns, all or none. */
  function fitting(all: readonly Block[]): Block[] {
    const fit: Block[] = []
    let count = 0
    let length = 0
    const footers = hasFooter ? 1 : 0
    for (const block of all) {
      const size =
        block.type === 'columns'
          ? 1 + block.columns.reduce((sum, { length }) => sum + length, 0)
          : 1
      const room = block.type === 'footer' ? blockLimits.blocks : blockLimits.blocks - footers
      const bytes = JSON.stringify(block).length + 1
      if (count + size <= room && length + bytes < blockLimits.length - 100) {
        fit.push(block)
        count += size
        length += bytes
      } else losses.blocksLost += size
    }
    return fit
  }
}

const removedNames = new Set([
  'script',
  'iframe',
  'object',
  'embed',
  'video',
  'audio',
  'input',
  'select',
  'textarea',
])

const inline = new Set(
  'a abbr acronym b bdi bdo big cite code del em font i ins kbd label mark nobr q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** What a kept part may be made of. */
const keptNames = new Set(
  'a b br caption col colgroup del div em h1 h2 h3 h4 h5 h6 hr i img li ol p s small span strong sub sup table tbody td tfoot th thead tr u ul'.split(
    ' ',
  ),
)
const keptAttributes = new Set(
  'align alt bgcolor border cellpadding cellspacing colspan dir height lang rowspan scope style title valign width'.split(
    ' ',
  ),
)

const quoted = (url: string) =>
  url
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** The words of an element, as they are in the page. */
function shownText(element: Element): string {
  const texts: string[] = []
  const open: AnyNode[] = [...element.children].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    if (isText(node)) texts.push(node.data)
    else if (isTag(node) && node.name === 'br') texts.push(' ')
    else if (isTag(node) && !isUnseen(node.name)) open.push(...[...node.children].reverse())
  }
  return withoutUnseen(texts.join('')).trim()
}

function* linksIn(element: Element): Generator<Element> {
  const open: AnyNode[] = [...element.children].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    if (!isTag(node)) continue
    if (node.name === 'a' || node.name === 'mj-social-element') yield node
    else open.push(...[...node.children].reverse())
  }
}

const firstLink = (element: Element) => linksIn(element).next().value ?? undefined

function within({ attribs }: Element, { marks, align }: Around): Around {
  return { marks, align: sideOf(attribs) ?? align }
}

function sideOf(attribs: Readonly<Record<string, string>>): Align | undefined {
  const side = stylesOf(attribs).get('text-align') ?? attribs['align']?.toLowerCase()
  return side === 'left' || side === 'center' || side === 'right' ? side : undefined
}

function marksOf({ name, attribs }: Element, around: Marks): Marks {
  const styles = stylesOf(attribs)
  const weight = styles.get('font-weight')
  const slant = styles.get('font-style')
  const line = styles.get('text-decoration-line') ?? styles.get('text-decoration')
  return {
    href: around.href,
    bold: weight === undefined ? around.bold || name === 'b' || name === 'strong' : isBold(weight),
    italic:
      slant === undefined ? around.italic || name === 'i' || name === 'em' : slant === 'italic',
    underline:
      line === undefined
        ? around.underline || name === 'u' || name === 'ins'
        : line.includes('underline'),
  }
}

const isBold = (weight: string) => /^(?:bold|bolder|[6-9]00)/.test(weight)

/** Has a ground of its own and room around its words, or is called a button. */
function isButton({ attribs }: Element): boolean {
  const styles = stylesOf(attribs)
  const ground = styles.get('background-color') ?? styles.get('background') ?? attribs['bgcolor']
  const hasGround =
    ground !== undefined && !/^(?:transparent|none|inherit|#fff(?:fff)?|white)?$/.test(ground)
  const isPadded = [...styles.keys()].some((name) => name.startsWith('padding'))
  const isBlock = /^(?:inline-)?block$/.test(styles.get('display') ?? '')
  if (/\b(?:mcnButton\w*|mceButton\w*|kl-button\w*|button|btn)\b/i.test(attribs['class'] ?? ''))
    return true
  return hasGround && (isPadded || isBlock || attribs['bgcolor'] !== undefined)
}

/** An empty block with a line along its top or bottom. */
function isRule({ attribs }: Element): boolean {
  const styles = stylesOf(attribs)
  return ['border-top', 'border-bottom'].some((side) =>
    /^[1-9]\d{0,2}px (?:solid|dashed|dotted)/.test(styles.get(side) ?? ''),
  )
}

/** Stands beside its neighbours on a wide screen. */
function isBeside({ name, attribs }: Element): boolean {
  const styles = stylesOf(attribs)
  const width = styles.get('width') ?? attribs['width'] ?? ''
  if (width === '100%') return /\bmj-column-per-(?!100\b)\d/.test(attribs['class'] ?? '')
  if (name === 'mj-column') return true
  if (name === 'table') return attribs['align'] === 'left' || attribs['align'] === 'right'
  if (name !== 'div') return false
  return (
    styles.get('display') === 'inline-block' || /^(?:left|right)$/.test(styles.get('float') ?? '')
  )
}

/** A table that says more than where things stand: it has headings, or rows of words side by side. */
function isOfData(table: Element, inside: Page['inside']): boolean {
  if (/^(?:presentation|none)$/.test(table.attribs['role'] ?? '')) return false
  let rows = 0
  const open: { element: Element; level: number }[] = [{ element: table, level: 0 }]
  for (let step = open.pop(); step; step = open.pop()) {
    for (const child of step.element.children) {
      if (!isTag(child)) continue
      if (child.name === 'th') return true
      if (child.name === 'td') {
        if (
          child.children.some(
            (entry) =>
              isTag(entry) &&
              !inline.has(entry.name) &&
              !isUnseen(entry.name) &&
              entry.name !== 'br',
          )
        ) {
          return false
        }
      }
      if (child.name === 'tr') {
        const cells = child.children.filter(isTag)
        if (cells.filter((cell) => inside(cell).words > 0).length > 1) rows++
      }
      if (step.level < 2) open.push({ element: child, level: step.level + 1 })
    }
  }
  return rows > 1
}

const legal =
  /unsubscribe_url|preferences_url|business\.postal_address|\[(?:unsubscribe|manage preferences|update (?:your )?preferences|abmelden|abbestellen|newsletter abbestellen|se désabonner|se désinscrire|désinscription)\b/i

/** A line that the footer has in each mail. */
const isLegal = (paragraph: string) => legal.test(paragraph)

/** Together, as far as the text of one block takes them. Words that are too long are cut at a space. */
function inLengths(paragraphs: readonly string[]): string[] {
  const texts: string[] = []
  const limit = blockLimits.textLength
  for (const paragraph of paragraphs) {
    let rest = paragraph
    while (rest.length > limit) {
      const space = rest.lastIndexOf(' ', limit)
      const end = space > limit / 2 ? space : limit
      texts.push(rest.slice(0, end))
      rest = rest.slice(end).trim()
    }
    const last = texts.at(-1)
    if (last !== undefined && last.length + rest.length + 2 <= limit) {
      texts[texts.length - 1] = `${last}\n\n${rest}`
    } else if (rest !== '') texts.push(rest)
  }
  return texts
}

function isOn(address: string, schemes: readonly string[], limit: number): boolean {
  const lower = address.toLowerCase()
  const scheme = schemes.find((entry) => lower.startsWith(entry))
  const rest =
    scheme === undefined ? '' : address.slice(scheme.length).replace(/\{\{ [^{}]{1,250} \}\}/g, 'x')
  return rest !== '' && address.length <= limit && !/[\s{}]/.test(rest)
}

const hostOf = (url: string) => /^https?:\/\/([^/?#]{1,100})/i.exec(url)?.[1] ?? url.slice(0, 100)
