/** What is pasted from Word, Google Docs and web pages, cleaned to the marks that a mail has. */
import { liquidIn } from '../liquid/chips.ts'

/** Whether a link may lead there, as the service decides. */
export function isAddress(href: string): boolean {
  const trimmed = href.trim()
  return /^(?:https?:\/\/|mailto:|tel:)\S/i.test(trimmed) || liquidIn(trimmed)[0]?.start === 0
}

const dropped =
  'script,style,head,title,meta,link,noscript,template,object,embed,iframe,svg,math,canvas,audio,video,select,input,textarea,datalist'

const blocks = new Set(
  'ADDRESS,ARTICLE,ASIDE,BLOCKQUOTE,BODY,CAPTION,CENTER,DD,DETAILS,DIV,DL,DT,FIELDSET,FIGCAPTION,FIGURE,FOOTER,FORM,H1,H2,H3,H4,H5,H6,HEADER,HR,LI,MAIN,NAV,OL,P,PRE,SECTION,SUMMARY,TABLE,TBODY,TD,TFOOT,TH,THEAD,TR,UL'.split(
    ',',
  ),
)

/** Our policy complains of each style and handler, so they are parsed under other names. */
const withoutOwnStyles = (html: string) =>
  html
    .replaceAll(/<style\b[\s\S]*?(?:<\/style\s*>|$)/gi, '')
    .replaceAll(/<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi, (tag) =>
      tag.replaceAll(/\sstyle\s*=/gi, ' data-look=').replaceAll(/\son[a-z]+\s*=/gi, ' data-on='),
    )

interface Marks {
  bold: boolean
  italic: boolean
  underline: boolean
  href: string | undefined
}

const none: Marks = { bold: false, italic: false, underline: false, href: undefined }

/** Paragraphs of words, marks and chips. No word is lost, and nothing else is kept. */
export function cleanHtml(html: string): string {
  const page = new DOMParser().parseFromString(withoutOwnStyles(html), 'text/html')
  for (const element of page.querySelectorAll(dropped)) element.remove()
  const writer = new Writer()
  // Copied within the editor: it is what it should be.
  walk(page.body, none, writer)
  return writer.end()
}

/** Collects paragraphs; spaces are written as a browser shows them. */
class Writer {
  readonly #out = document.createElement('div')
  #paragraph = document.createElement('p')
  #isAfterSpace = true
  #sign = ''

  words(text: string, marks: Marks, isPlain: boolean): void {
    let shown = isPlain ? text : text.replaceAll(/[ \t\n\r\f]+/g, ' ')
    if (this.#isAfterSpace && !isPlain) shown = shown.replace(/^ /, '')
    if (shown === '') return
    this.#isAfterSpace = shown.endsWith(' ')
    const lines = shown.split('\n')
    for (const [n, line] of lines.entries()) {
      if (n > 0) this.break()
      if (line !== '') this.put(document.createTextNode(line), marks)
    }
  }

  /** Before the first words of an entry, which may be in a paragraph of their own. */
  sign(text: string): void {
    this.#sign = text
  }

  put(node: globalThis.Node, { bold, italic, underline, href }: Marks): void {
    let inner = node
    const within = (tag: string) => {
      const element = document.createElement(tag)
      element.append(inner)
      inner = element
      return element
    }
    if (underline) within('u')
    if (italic) within('em')
    if (bold) within('strong')
    if (href !== undefined) within('a').setAttribute('href', href)
    if (this.#sign !== '') this.#paragraph.append(this.#sign)
    this.#sign = ''
    this.#paragraph.append(inner)
    if (!(node instanceof Text)) this.#isAfterSpace = false
  }

  break(): void {
    this.#paragraph.append(document.createElement('br'))
    this.#isAfterSpace = true
  }

  endParagraph(): void {
    if (
      this.#paragraph.textContent?.trim() !== '' ||
      this.#paragraph.querySelector('[data-liquid]')
    ) {
      while (this.#paragraph.lastChild?.nodeName === 'BR') this.#paragraph.lastChild.remove()
      this.#out.append(this.#paragraph)
    }
    this.#paragraph = document.createElement('p')
    this.#isAfterSpace = true
  }

  end(): string {
    this.endParagraph()
    return this.#out.innerHTML
  }
}

function walk(node: globalThis.Node, marks: Marks, writer: Writer): void {
  for (const child of node.childNodes) {
    if (child instanceof Text) writer.words(child.data, marks, isPreformatted(child.parentElement))
    else if (child instanceof HTMLElement) element(child, marks, writer)
  }
}

const isPreformatted = (of: HTMLElement | null) =>
  of !== null &&
  (of.closest('pre') !== null || (stylesOf(of).get('white-space') ?? '').startsWith('pre'))

/** What its attribute of styles says. */
function stylesOf(of: HTMLElement): Map<string, string> {
  const declarations = (of.dataset['look'] ?? '').toLowerCase().split(';')
  return new Map(
    declarations.map((declaration) => {
      const [name = '', ...value] = declaration.split(':')
      return [name.trim(), value.join(':').trim()] as const
    }),
  )
}

function element(child: HTMLElement, marks: Marks, writer: Writer): void {
  const { tagName } = child
  if (child.dataset['liquid'] !== undefined) {
    writer.put(child.cloneNode(true), marks)
    return
  }
  if (tagName === 'BR') {
    if (!child.classList.contains('ProseMirror-trailingBreak')) writer.break()
    return
  }
  // The sign before an entry of Word's lists is drawn, not written.
  if (/mso-list:\s*ignore/i.test(child.dataset['look'] ?? '')) return
  if (child.hidden || stylesOf(child).get('display') === 'none') return
  if (child instanceof HTMLImageElement) {
    // A picture says what it shows. Pictures of their own are pasted as files.
    if (child.alt.trim() !== '') writer.words(child.alt, marks, false)
    return
  }
  const isBlock = blocks.has(tagName)
  if (isBlock) writer.endParagraph()
  if (tagName === 'LI') writer.sign(signOf(child))
  if (/\bMsoListParagraph/.test(child.className)) writer.sign('• ')
  walk(child, marksOf(child, marks), writer)
  if (isBlock) writer.endParagraph()
}

function signOf(item: HTMLElement): string {
  const list = item.parentElement
  if (!(list instanceof HTMLOListElement)) return '• '
  const place = [...list.children].filter(({ tagName }) => tagName === 'LI').indexOf(item)
  return `${list.start + place}. `
}

function marksOf(of: HTMLElement, around: Marks): Marks {
  const marks = { ...around }
  const { tagName } = of
  const styles = stylesOf(of)
  if (tagName === 'B' || tagName === 'STRONG' || tagName === 'TH') marks.bold = true
  if (tagName === 'I' || tagName === 'EM' || tagName === 'CITE') marks.italic = true
  if (tagName === 'U' || tagName === 'INS') marks.underline = true
  if (/^H[1-6]$/.test(tagName)) marks.bold = true
  const weight = styles.get('font-weight')
  const slant = styles.get('font-style')
  if (weight !== undefined) marks.bold = /^(?:bold|bolder|[6-9]00)/.test(weight)
  if (slant !== undefined) marks.italic = /^(?:italic|oblique)/.test(slant)
  const line = styles.get('text-decoration-line') ?? styles.get('text-decoration') ?? ''
  if (line.includes('underline')) marks.underline = true
  else if (line.includes('none')) marks.underline = false
  if (of instanceof HTMLAnchorElement) {
    const href = ownAddress(of.getAttribute('href') ?? '')
    if (isAddress(href)) marks.href = href
  }
  // Links are underlined as they are.
  if (marks.href !== undefined) marks.underline = false
  return marks
}

/** Google Docs leads links of published pages by way of its own. */
function ownAddress(href: string): string {
  if (!href.startsWith('https://www.google.com/url?')) return href
  return new URL(href).searchParams.get('q') ?? href
}
