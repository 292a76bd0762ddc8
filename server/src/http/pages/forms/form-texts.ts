/** The texts of a hosted form in its visitor's language. */
import {
  acceptedLanguages,
  chooseLanguage,
  type RecipientLanguage,
} from '../../../core/recipient-words/languages.ts'
import type { FormField } from '../../../forms/form.ts'
import type { FormTranslation } from '../../../forms/form-page.ts'
import type { HostedForm } from '../../../forms/hosted/hosted-form.ts'

export interface FormTexts {
  language: RecipientLanguage
  title: string
  intro: string | undefined
  submit: string | undefined
  thanks: string | undefined
  labelOf(field: FormField): string
  optionOf(field: FormField, option: string): string
}

export interface Visitor {
  /** `?lang=` in the URL. */
  lang: string | undefined
  acceptLanguage: string | undefined
}

/**
 * The language in the URL, else the first that the browser accepts and the form has texts in, else
 * the business's.
 */
export function textsOf(
  { name, page, topicNames }: Pick<HostedForm, 'name' | 'page' | 'topicNames'>,
  ofBusiness: string,
  { lang, acceptLanguage }: Visitor,
): FormTexts {
  const translations = page.texts ?? {}
  const has = (tag: string) => sameLanguage(tag, ofBusiness) || findTag(translations, tag)
  const wanted = lang ?? acceptedLanguages(acceptLanguage).find((tag) => has(tag)) ?? ofBusiness
  const tag = findTag(translations, wanted)
  const own: FormTranslation = (tag !== undefined && translations[tag]) || {}
  return {
    language: chooseLanguage(wanted, ofBusiness),
    title: own.title ?? page.title ?? name,
    intro: own.intro ?? page.intro,
    submit: own.submit ?? page.submit,
    thanks: own.thanks ?? page.thanks,
    labelOf: ({ key, label }) => ownText(own.labels, key) ?? label,
    optionOf: ({ key, type }, option) =>
      ownText(ownText(own.options, key), option) ??
      (type === 'topics' ? topicNames.get(option) : undefined) ??
      option,
  }
}

/** Businesses choose the keys, which may be names that every object inherits. */
function ownText<T>(texts: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return texts && Object.hasOwn(texts, key) ? texts[key] : undefined
}

function findTag(translations: Readonly<Record<string, unknown>>, tag: string): string | undefined {
  const tags = Object.keys(translations)
  const exact = tags.find((text) => text.toLowerCase() === tag.toLowerCase())
  return exact ?? tags.find((text) => sameLanguage(text, tag))
}

function sameLanguage(a: string, b: string): boolean {
  return primaryOf(a) === primaryOf(b)
}

function primaryOf(tag: string): string {
  return tag.split('-', 1)[0]?.toLowerCase() ?? ''
}
