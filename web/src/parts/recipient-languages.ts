/** The languages in which Crier speaks to recipients. */
import { language as languageOfApp } from '../words/texts.ts'

export const recipientTags = ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt']

/** As countries write them, whose dates and numbers differ. */
const regionalTags = [
  'de-AT',
  'de-CH',
  'en-GB',
  'en-US',
  'es-MX',
  'fr-BE',
  'fr-CA',
  'fr-CH',
  'pt-BR',
]

type NamedTag = readonly [tag: string, name: string]

/** Each by its own name. */
export const languages: NamedTag[] = recipientTags.map(named)

/** All of them, and the one that is set, whatever it is. */
export function languagesWith(set: string): NamedTag[] {
  return tagsWith(set).map(named)
}

/** The same by their names in the language of the app, in its order. */
export function languageNamesWith(set: string): NamedTag[] {
  const names = tagsWith(set).map((tag) => [tag, languageName(tag)] as const)
  return names.toSorted(([, a], [, b]) => a.localeCompare(b, languageOfApp))
}

function tagsWith(set: string): string[] {
  const all = [...recipientTags, ...regionalTags].toSorted((a, b) => a.localeCompare(b))
  return set === '' || all.includes(set) ? all : [...all, set]
}

function named(tag: string): NamedTag {
  return [tag, nameIn(tag, tag)]
}

/** The name of a language in that of the app. */
export function languageName(tag: string): string {
  return nameIn(languageOfApp, tag)
}

function nameIn(language: string, tag: string): string {
  try {
    return (
      new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' }).of(
        tag,
      ) ?? tag
    )
  } catch {
    return tag
  }
}
