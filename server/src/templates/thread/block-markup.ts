/** The texts and addresses of blocks as markup. Liquid in them stays as it is. */
import { escapeHtml } from '../../lib/text/html.ts'
import { type Hidden, hideLiquid, showLiquid } from './hidden.ts'
import { type InlineLook, inlineHtml, paragraphsOf } from './inline.ts'
import { assertParses } from './liquid.ts'
import { SourceError } from './source-error.ts'

/** A field of a block: what its author wrote, and where it stands, such as `blocks[2].text`. */
export interface Field {
  text: string
  field: string
}

function hiddenIn({ text, field }: Field): Hidden {
  assertParses(field, text, 'html')
  return hideLiquid(text)
}

/** Text without marks and links, such as a heading or an alternative text. */
export function plainMarkup(field: Field): string {
  const hidden = hiddenIn(field)
  return showLiquid(escapeHtml(hidden.text).replaceAll('\n', ' '), hidden)
}

/** Text with marks and links, one entry for each paragraph. */
export function richMarkup(field: Field, look: InlineLook): string[] {
  const hidden = hiddenIn(field)
  const readUrl = (word: string) => {
    return addressMarkup({ ...field, text: showLiquid(word, hidden) }, 'link')
  }
  return paragraphsOf(hidden.text).map((paragraph) => {
    return showLiquid(inlineHtml(paragraph, readUrl, look), hidden)
  })
}

const schemes = {
  link: ['https://', 'http://', 'mailto:', 'tel:'],
  image: ['https://', 'http://'],
} as const

/** The address of a link or an image, for an attribute in quotes. */
export function addressMarkup(field: Field, use: keyof typeof schemes): string {
  const hidden = hiddenIn({ ...field, text: field.text.trim() })
  const fault = addressFault(hidden, schemes[use])
  if (fault !== undefined) throw new SourceError(field.field, fault)
  return showLiquid(escapeHtml(hidden.text), hidden)
}

/**
 * An address may begin with a value, which is checked when the mail is filled in. Nothing but a path
 * may follow such a value, so that an empty one cannot let another scheme through.
 */
function addressFault(hidden: Hidden, allowed: readonly string[]): string | undefined {
  const { text } = hidden
  const lower = text.toLowerCase()
  const scheme = allowed.find((entry) => lower.startsWith(entry))
  const rest = scheme === undefined ? afterValue(hidden) : text.slice(scheme.length)
  const isOpen = scheme === undefined && rest !== undefined && rest !== '' && !/^[/?#]/.test(rest)
  if (rest === undefined || isOpen) {
    return `has an address that does not begin with ${allowed.join(', ')} or a value, such as {{ shop_url }}.`
  }
  if (scheme !== undefined && rest === '') return 'has an address that ends after its scheme.'
  const isUnfit = (character: string) => character <= ' ' || character.trim() === ''
  return text.split('').some(isUnfit) ? 'has an address with a space in it.' : undefined
}

/** What follows the value at the beginning. Undefined where no value begins the address. */
function afterValue({ text, codes, words }: Hidden): string | undefined {
  words.lastIndex = 0
  const match = words.exec(text)
  words.lastIndex = 0
  if (match?.index !== 0 || codes[Number(match[1])]?.kind !== 'output') return undefined
  return text.slice(match[0].length)
}
