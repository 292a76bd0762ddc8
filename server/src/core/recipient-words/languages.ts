/** Chooses which of the catalogue's languages fits one person. */
import { createRequire } from 'node:module'
import { english } from './en.ts'
import type { RecipientWords } from './words.ts'

const require = createRequire(import.meta.url)

/** Each language is loaded when it is first used, because an idle service needs only English. */
const catalogue = {
  ar: () => (require('./ar.ts') as typeof import('./ar.ts')).arabic,
  de: () => (require('./de.ts') as typeof import('./de.ts')).german,
  en: () => english,
  es: () => (require('./es.ts') as typeof import('./es.ts')).spanish,
  fr: () => (require('./fr.ts') as typeof import('./fr.ts')).french,
  it: () => (require('./it.ts') as typeof import('./it.ts')).italian,
  ja: () => (require('./ja.ts') as typeof import('./ja.ts')).japanese,
  nl: () => (require('./nl.ts') as typeof import('./nl.ts')).dutch,
  pl: () => (require('./pl.ts') as typeof import('./pl.ts')).polish,
  pt: () => (require('./pt.ts') as typeof import('./pt.ts')).portuguese,
} as const satisfies Record<string, () => RecipientWords>

/** A language of the catalogue, as BCP 47 writes it. */
export type RecipientLanguage = keyof typeof catalogue

export const recipientLanguages = Object.keys(catalogue) as RecipientLanguage[]

/** What a business can word itself, such as the button of the mail that asks to confirm. */
export const ownWordNames = [
  'confirm_subject',
  'confirm_text',
  'confirm_button',
  'confirm_done',
  'unsubscribe',
  'view_link',
  'sent_with',
] as const

/** One text of a business in place of the catalogue's. An empty one leaves `sent_with` out. */
export interface OwnWord {
  language: RecipientLanguage
  name: (typeof ownWordNames)[number]
  text: string
}

/** The catalogue's words, and in place of some of them the business's own. */
export function wordsIn(
  language: RecipientLanguage,
  ownWords: readonly OwnWord[] | null = null,
): RecipientWords {
  const words = catalogue[language]()
  const texts = (ownWords ?? []).filter((word) => word.language === language)
  if (texts.length === 0) return words
  const own = Object.fromEntries(texts.map(({ name, text }) => [name, text])) as Partial<
    Record<OwnWord['name'], string>
  >
  const { confirmation, mail, view, sentWith } = words
  const sentence = (text: string | undefined, usual: (business: string) => string) =>
    text === undefined ? usual : () => text
  return {
    ...words,
    confirmation: {
      ...confirmation,
      subject: sentence(own.confirm_subject, confirmation.subject),
      text: sentence(own.confirm_text, confirmation.text),
      button: own.confirm_button ?? confirmation.button,
      doneText: sentence(own.confirm_done, confirmation.doneText),
    },
    mail: { preferences: own.unsubscribe ?? mail.preferences },
    view: { ...view, link: own.view_link ?? view.link },
    sentWith: own.sent_with ?? sentWith,
  }
}

/** The value of `dir` for pages in the language. */
export function directionOf(language: RecipientLanguage): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}

/**
 * The first of these BCP 47 tags whose language is in the catalogue, else English. A region or
 * script does not count: `pt-BR` is answered in Portuguese (RFC 4647 section 3.4, lookup).
 */
export function chooseLanguage(...tags: readonly (string | null | undefined)[]): RecipientLanguage {
  for (const tag of tags) {
    const primary = tag?.slice(0, 3).split('-', 1)[0]?.toLowerCase() ?? ''
    if (Object.hasOwn(catalogue, primary)) return primary as RecipientLanguage
  }
  return 'en'
}

/** The most tags of a header that are examined; browsers send fewer than ten. */
const mostAccepted = 20

/** The tags of an Accept-Language header, the most wanted first (RFC 9110 section 12.5.4). */
export function acceptedLanguages(header: string | undefined): string[] {
  const ranges = (header ?? '').slice(0, 1_000).split(',', mostAccepted)
  return ranges
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';')
      const weight = parameters.find((parameter) => parameter.trim().startsWith('q='))
      const quality = weight === undefined ? 1 : Number(weight.trim().slice(2))
      return { tag: tag.trim(), quality: Number.isFinite(quality) ? quality : 0 }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}
