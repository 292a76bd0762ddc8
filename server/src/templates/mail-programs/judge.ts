/**
 * How a finished mail will be shown, without any mail program: what some of them ignore, by the data
 * of caniemail, and what breaks a mail in all of them. The mail is read once, tag by tag. What stands
 * in conditional comments is for Outlook for Windows alone, and other programs do not see it.
 */
import { decodeHTMLAttribute } from 'entities/lib/decode.js'
import { contrastOf, minimumContrast } from '../../accounts/settings/contrast.ts'
import { ignoredBy } from './data.ts'
import { type Feature, features, namesOf } from './features.ts'

export interface Judgement {
  /** What is wrong wherever it is read, as sentences. */
  flaws: string[]
  /** What some programs ignore so that something is lost or out of place, as sentences. */
  lost: string[]
  /** What is only less beautiful in some programs, as sentences. */
  plainer: string[]
  /** The same by its sentence, with its values, for a reader in another language. */
  findings: ReadonlyMap<string, Flaw>
}

interface Flaw {
  finding:
    | 'dropped_parts'
    | 'comment_open'
    | 'vml_open'
    | 'tables_deep'
    | 'too_wide'
    | 'hard_to_read'
    | 'ignored'
  [value: string]: unknown
}

/** Pixels. Wider mail is cut off or shrunk in narrow windows. */
const widest = 600
/** Outlook for Windows becomes slow, and loses cells, in deeper ones. */
const deepestTables = 5

/**
 * Longer or finer mail is judged by its beginning, so that no mail holds up the service: 60 ms in
 * the test of hostile contents. Mailboxes show no more than 102 kB of a mail.
 */
const limits = { characters: 256_000, tags: 20_000 }

export function judgeMail(html: string): Judgement {
  const reading = new Reading()
  read(html.slice(0, limits.characters), reading)
  return reading.judgement()
}

const pieces =
  /<!--\[if ([^\]<>]{1,100})\]>(<!--\s?-->|<!-->|-->)?|(<!--<!\[endif\]-->|<!\[endif\]-->)|<!--[\s\S]*?(?:-->|$)|<(style|script|title|textarea)\b([\s\S]*?)(?:<\/\4\s*>|$)|<(\/?)([a-z][a-z0-9:-]{0,40})(?=[\s/>])/gi
const attribute = /\s*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?|\s*\/?/gy

function read(html: string, reading: Reading, isForOutlook = false): void {
  let at = 0
  for (let tags = 0; tags < limits.tags; tags++) {
    pieces.lastIndex = at
    const piece = pieces.exec(html)
    const start = piece ? piece.index : html.length
    if (!isForOutlook) reading.text(html, at, start)
    if (!piece) return
    at = pieces.lastIndex
    const [whole, condition, revealed, end, raw, content = '', closing, name = ''] = piece
    if (condition !== undefined && revealed !== undefined) reading.openCondition(condition)
    else if (condition !== undefined) {
      const close = html.indexOf('-->', at)
      const inner = html.slice(at, close < 0 ? html.length : close)
      if (close < 0 || !inner.trimEnd().endsWith('<![endif]')) reading.unbalanced = true
      if (!isForOutlook) read(inner.replace('<![endif]', ''), reading, true)
      at = close < 0 ? html.length : close + 3
    } else if (end !== undefined) reading.closeCondition()
    else if (raw !== undefined) reading.raw(raw.toLowerCase(), content)
    else if (!whole.startsWith('<!')) {
      const tag = attributesFrom(html, at)
      at = tag.end
      const element = { name: name.toLowerCase(), isForOutlook, ...tag }
      if (closing === '/') reading.endTag(element)
      else reading.startTag(element)
    }
  }
}

interface Tag {
  name: string
  attributes: ReadonlyMap<string, string>
  isForOutlook: boolean
  isEmpty: boolean
}

function attributesFrom(html: string, from: number) {
  const attributes = new Map<string, string>()
  let end = from
  for (;;) {
    attribute.lastIndex = end
    const match = attribute.exec(html)
    if (!match || match[0] === '') break
    end = attribute.lastIndex
    const [, name, double, single, bare] = match
    if (name === undefined) continue
    const value = double ?? single ?? bare ?? ''
    if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), value)
  }
  const isEmpty = html[end - 1] === '/'
  return { attributes, isEmpty, end: html[end] === '>' ? end + 1 : end }
}

const decoded = (value = '') => (value.includes('&') ? decodeHTMLAttribute(value) : value)

const voids = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Every mail program drops these, as they could harm its users. */
const dropped = new Set(['script', 'iframe', 'embed', 'applet', 'frame', 'frameset'])
const fields = new Set(['form', 'input', 'select', 'textarea'])

interface Colours {
  text: string
  /** Undefined where a picture or a gradient is behind the text, or where it is hidden. */
  ground: string | undefined
}

class Reading {
  unbalanced = false
  readonly #used = new Map<Feature, { beyondOutlook: boolean }>()
  readonly #dropped = new Set<string>()
  readonly #conditions: string[] = []
  readonly #shapes: string[] = []
  readonly #open: { name: string; colours: Colours }[] = []
  #brokenShape: string | undefined
  #tables = 0
  #deepest = 0
  #wide: { name: string; width: number } | undefined
  readonly #judged = new Set<string>()
  #unreadable: { words: string; contrast: number } | undefined

  openCondition(condition: string): void {
    this.#conditions.push(condition.toLowerCase().replaceAll(' ', ''))
  }

  closeCondition(): void {
    if (this.#conditions.pop() === undefined) this.unbalanced = true
  }

  raw(name: string, content: string): void {
    if (name === 'script') this.#dropped.add('<script>')
    if (name === 'textarea') this.#dropped.add('<form>')
    if (name !== 'style') return
    const sheet = content.toLowerCase()
    for (const feature of byRule) if (sheet.includes(feature.rule ?? '')) this.#use(feature)
  }

  startTag(tag: Tag): void {
    const { name, attributes, isForOutlook, isEmpty } = tag
    const isShape = /^[vow]:/.test(name)
    if (isShape && !isEmpty) this.#shapes.push(name)
    if (isForOutlook) return
    if (dropped.has(name)) this.#dropped.add(`<${name}>`)
    if (fields.has(name)) this.#dropped.add('<form>')
    const href = decoded(attributes.get('href') ?? attributes.get('action'))
    if (href.trim().toLowerCase().startsWith('javascript:')) this.#dropped.add('javascript:')
    for (const key of attributes.keys()) {
      if (key.startsWith('on')) this.#dropped.add('code in attributes')
      for (const feature of byAttribute.get(key) ?? []) this.#use(feature)
    }
    for (const feature of byElement.get(name) ?? []) this.#use(feature)
    if (name === 'img') this.#image(decoded(attributes.get('src')))
    const declarations = declarationsOf(decoded(attributes.get('style')))
    for (const [property, value] of declarations) this.#declaration(property, value)
    this.#width(name, attributes.get('width'), declarations)
    if (name === 'table') this.#deepest = Math.max(this.#deepest, ++this.#tables)
    if (isEmpty || voids.has(name)) return
    const colours = coloursIn(this.#colours(), attributes.get('bgcolor'), declarations)
    this.#open.push({ name, colours })
  }

  endTag({ name, isForOutlook }: Tag): void {
    if (/^[vow]:/.test(name) && this.#shapes.pop() !== name) this.#brokenShape ??= name
    if (isForOutlook) return
    if (name === 'table') this.#tables = Math.max(0, this.#tables - 1)
    // Looks no further up than a page would leave open, so that no page takes long.
    const least = Math.max(0, this.#open.length - mostLeftOpen)
    for (let n = this.#open.length - 1; n >= least; n--) {
      if (this.#open[n]?.name !== name) continue
      this.#open.length = n
      return
    }
  }

  /** Words must be readable on what is behind them, and also where a program inverts the colours. */
  text(html: string, from: number, to: number): void {
    const { text, ground } = this.#colours()
    if (ground === undefined || this.#unreadable) return
    const key = `${text} ${ground}`
    if (this.#judged.has(key)) return
    const words = html.slice(from, Math.min(to, from + 200)).trim()
    if (words.replaceAll(/&[#a-z0-9]{1,12};/gi, '').trim() === '') return
    this.#judged.add(key)
    const inverse = contrastOf(darkened(text), darkened(ground))
    const contrast = Math.min(contrastOf(text, ground), inverse)
    if (contrast < leastContrast) this.#unreadable = { words: words.slice(0, 40), contrast }
  }

  judgement(): Judgement {
    const findings = new Map<string, Flaw>()
    const flaws: string[] = []
    const lost: string[] = []
    const plainer: string[] = []
    const add = (list: string[], sentence: string, flaw: Flaw) => {
      list.push(sentence)
      findings.set(sentence, flaw)
    }
    if (this.#dropped.size > 0) {
      const parts = [...this.#dropped].join(', ')
      add(
        flaws,
        `Mail programs drop or block ${parts}, and take such mail for an attack: link to a page instead.`,
        { finding: 'dropped_parts', parts },
      )
    }
    if (this.unbalanced || this.#conditions.length > 0) {
      add(
        flaws,
        'A conditional comment for Outlook has no end or no beginning: each <!--[if mso]> needs its <![endif]-->.',
        { finding: 'comment_open' },
      )
    }
    const shape = this.#brokenShape ?? this.#shapes.at(-1)
    if (shape !== undefined) {
      add(flaws, `The VML for Outlook is not whole: <${shape}> is not closed where it should be.`, {
        finding: 'vml_open',
        shape,
      })
    }
    if (this.#deepest > deepestTables) {
      add(
        flaws,
        `Tables are nested ${this.#deepest} deep; Outlook for Windows shows no more than ${deepestTables} well.`,
        { finding: 'tables_deep', depth: this.#deepest, most: deepestTables },
      )
    }
    if (this.#wide) {
      const { name, width } = this.#wide
      add(
        flaws,
        `A <${name}> is ${width} pixels wide: on phones it is cut off. Write max-width: ${widest}px, and the width for Outlook in <!--[if mso]>.`,
        { finding: 'too_wide', name, width, most: widest },
      )
    }
    if (this.#unreadable) {
      const { words, contrast } = this.#unreadable
      add(
        flaws,
        `“${words}” is hard to read: its contrast with what is behind it, in the light or with inverted colours in the dark, is ${contrast.toFixed(1)}, and ${minimumContrast} is wanted.`,
        { finding: 'hard_to_read', words, contrast: contrast.toFixed(1), least: minimumContrast },
      )
    }
    for (const [feature, { beyondOutlook }] of this.#used) {
      const all = ignoredBy[feature.feature] ?? ''
      const letters = beyondOutlook ? all.replace('w', '') : all
      if (letters === '') continue
      add(feature.breaks ? lost : plainer, sentence(letters, feature.words), {
        finding: 'ignored',
        programs: namesOf(letters),
        feature: feature.feature,
        words: feature.words,
      })
    }
    return { flaws, lost, plainer, findings }
  }

  #colours(): Colours {
    return this.#open.at(-1)?.colours ?? { text: '#000000', ground: '#ffffff' }
  }

  #use(feature: Feature): void {
    const beyondOutlook = this.#conditions.some((condition) => condition.startsWith('!mso'))
    const before = this.#used.get(feature)
    this.#used.set(feature, {
      beyondOutlook: beyondOutlook && (before?.beyondOutlook ?? true),
    })
  }

  #image(src: string): void {
    const address = src.trim().toLowerCase()
    const path = address.split(/[?#]/, 1)[0] ?? ''
    for (const feature of byImage) {
      const isOf = (part: string) =>
        part.endsWith(':') ? address.startsWith(part) : path.endsWith(part)
      if (feature.image?.some(isOf)) this.#use(feature)
    }
  }

  #declaration(property: string, value: string): void {
    for (const feature of [...(byProperty.get(property) ?? []), ...byValue]) {
      if (feature.values?.some((part) => value.includes(part)) ?? value !== 'none') {
        this.#use(feature)
      }
    }
  }

  #width(name: string, attribute: string | undefined, declarations: Declarations): void {
    if (this.#wide || declarations.has('max-width')) return
    const own = /^(\d{3,5})(?:px)?$/
    const widths = [attribute, declarations.get('width'), declarations.get('min-width')]
    const width = Math.max(0, ...widths.map((value) => Number(own.exec(value ?? '')?.[1] ?? 0)))
    if (width > widest) this.#wide = { name, width }
  }
}

const mostLeftOpen = 30
/** The contrast below which words are hard to read even if they are large (WCAG 2.2, 1.4.3). */
const leastContrast = 3

type Declarations = ReadonlyMap<string, string>

/** The declarations of a style attribute, in lower case. */
function declarationsOf(style: string): Declarations {
  const declarations = new Map<string, string>()
  for (const part of style.toLowerCase().split(';')) {
    const colon = part.indexOf(':')
    if (colon > 0) {
      const value = part.slice(colon + 1).replace('!important', '')
      declarations.set(part.slice(0, colon).trim(), value.trim())
    }
  }
  return declarations
}

function coloursIn(
  around: Colours,
  bgcolor: string | undefined,
  declarations: Declarations,
): Colours {
  if (declarations.size === 0 && bgcolor === undefined) return around
  const text = hexOf(declarations.get('color') ?? '') ?? around.text
  if (declarations.get('display') === 'none') return { text, ground: undefined }
  const shorthand = declarations.get('background')
  const picture = `${shorthand ?? ''}${declarations.get('background-image') ?? ''}`
  if (picture.includes('url(') || picture.includes('gradient(')) return { text, ground: undefined }
  const own = declarations.get('background-color') ?? shorthand ?? bgcolor
  return { text, ground: (own === undefined ? undefined : hexOf(own)) ?? around.ground }
}

const namedColours: Readonly<Record<string, string>> = { black: '#000000', white: '#ffffff' }

/** `#rrggbb` for a colour without transparency, in the forms that mail has. */
function hexOf(colour: string): string | undefined {
  const text = colour.trim().toLowerCase()
  if (/^#[0-9a-f]{6}$/.test(text)) return text
  if (/^#[0-9a-f]{3}$/.test(text)) return text.replace(/[0-9a-f]/g, (sign) => sign + sign)
  return namedColours[text]
}

/**
 * As programs with a dark mode of their own show a colour: what is light becomes as dark, and what is
 * dark as light, and its hue stays. They leave alone what suits the dark already, which no contrast
 * of the light depends on.
 */
function darkened(colour: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  const target = 100 - lightnessOf(colour)
  const end = target > 50 ? 255 : 0
  let [low, high] = [0, 1]
  let result = colour
  for (let step = 0; step < 10; step++) {
    const share = (low + high) / 2
    const mixed = parts.map((part) => Math.round(part + (end - part) * share))
    result = `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`
    const isShort = end === 255 ? lightnessOf(result) < target : lightnessOf(result) > target
    if (isShort) low = share
    else high = share
  }
  return result
}

/** The lightness that people see (CIE L*), from 0 for black to 100 for white. */
function lightnessOf(colour: string): number {
  const luminance = 1.05 / contrastOf(colour, '#ffffff') - 0.05
  return luminance <= 0.008856 ? luminance * 903.3 : 116 * Math.cbrt(luminance) - 16
}

function sentence(letters: string, words: string): string {
  const names = namesOf(letters)
  const last = names.at(-1) ?? ''
  const list = names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
  return `${list} ${names.length === 1 ? 'ignores' : 'ignore'} ${words}.`
}

const byProperty = grouped(({ property }) => [property ?? []].flat())
const byElement = grouped(({ element }) => [element ?? []].flat())
const byAttribute = grouped(({ attribute }) => [attribute ?? []].flat())
const byRule = features.filter(({ rule }) => rule !== undefined)
const byImage = features.filter(({ image }) => image !== undefined)
const byValue = features.filter(({ property, values }) => values && property === undefined)

function grouped(keysOf: (feature: Feature) => readonly string[]): Map<string, Feature[]> {
  const groups = new Map<string, Feature[]>()
  for (const feature of features) {
    for (const key of keysOf(feature)) groups.set(key, [...(groups.get(key) ?? []), feature])
  }
  return groups
}
