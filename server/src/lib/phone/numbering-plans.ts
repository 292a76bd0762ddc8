/**
 * The world's numbering plans, loaded at the first phone number: 20 ms once, and 8 MB that a
 * service without phone numbers does not use.
 */
import { createRequire } from 'node:module'

type Plans = Pick<
  typeof import('libphonenumber-js/max'),
  'parsePhoneNumberFromString' | 'getCountries'
>

const require = createRequire(import.meta.url)
let plans: Plans | undefined

/** Loaded synchronously rather than by `import()`, because the callers are synchronous. */
export function numberingPlans(): Plans {
  plans ??= require('libphonenumber-js/max') as Plans
  return plans
}

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'] as const
/** Longer texts are no name of a country. */
const longestName = 60

let byName: Map<string, string> | undefined

const plain = (text: string) => text.trim().toLowerCase()

/** The two capital letters of a country that has phone numbers; undefined for other texts. */
export function countryOf(text: string): string | undefined {
  if (text.length > longestName) return undefined
  byName ??= namesOfCountries()
  return byName.get(plain(text))
}

function namesOfCountries(): Map<string, string> {
  const codes = numberingPlans().getCountries()
  const names = languages.map((language) => new Intl.DisplayNames(language, { type: 'region' }))
  const codesByName = new Map<string, string>()
  for (const code of codes) {
    for (const spoken of names) codesByName.set(plain(spoken.of(code) ?? code), code)
  }
  for (const code of codes) codesByName.set(plain(code), code)
  return codesByName
}
