/** Rules about hosted pages that a JSON schema cannot express. */
import { type Refusal, refuse } from '../core/errors.ts'
import { schemaCheck } from '../core/schema-check.ts'
import { isSingleLine } from '../lib/text/single-line.ts'
import { readUrl } from './field-types.ts'
import type { FormField } from './form.ts'
import { type FormPage, type FormTranslation, formPage, pageLimits } from './form-page.ts'

/** The full schema. The tool's schema is a loose object, which saves a model's context. */
export const checkPageShape = schemaCheck(formPage, 'page')

/** The first rule that the page breaks; undefined if it breaks none. */
export function checkPage(page: FormPage, fields: readonly FormField[]): Refusal | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(page))
  if (bytes > pageLimits.bytes) {
    return wrong('page', `is ${bytes} bytes as JSON; the limit is ${pageLimits.bytes}.`, {
      reason: 'page_too_large',
    })
  }
  return (
    checkTexts(page, 'page') ??
    checkRedirect(page) ??
    checkSites(page) ??
    checkColour(page) ??
    checkEmbed(page) ??
    checkTranslations(page, fields)
  )
}

function checkTexts(page: FormPage | FormTranslation, at: string): Refusal | undefined {
  for (const key of ['title', 'submit'] as const) {
    const text = page[key]
    if (text !== undefined && !isSingleLine(text))
      return wrong(`${at}.${key}`, 'must be one line.', { reason: 'one_line' })
  }
  return undefined
}

function checkRedirect({ redirect_url: url }: FormPage): Refusal | undefined {
  if (url === undefined || readUrl(url) !== undefined) return undefined
  return wrong('page.redirect_url', 'must be a URL that starts with https:// or http://.', {
    reason: 'no_web_address',
  })
}

function checkSites({ allowed_sites: sites = [] }: FormPage): Refusal | undefined {
  const index = sites.findIndex((site) => !isOrigin(site))
  if (index < 0) return undefined
  const rule = 'must be an origin: https://, a host and no path, such as https://shop.example.'
  return wrong(`page.allowed_sites[${index}]`, rule, { reason: 'no_web_address' })
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol, hostname } = new URL(text)
  const isLocal = protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1')
  return origin === text && (protocol === 'https:' || isLocal)
}

function checkColour({ colour }: FormPage): Refusal | undefined {
  if (colour === undefined || /^#[0-9a-f]{6}$/i.test(colour)) return undefined
  return wrong('page.colour', 'must be # and six hexadecimal digits, such as #4f46e5.', {
    reason: 'no_colour',
  })
}

function checkEmbed({ embed }: FormPage): Refusal | undefined {
  if (embed?.label === undefined || isSingleLine(embed.label)) return undefined
  return wrong('page.embed.label', 'must be one line.', { reason: 'one_line' })
}

function checkTranslations(
  { texts: translations = {} }: FormPage,
  fields: readonly FormField[],
): Refusal | undefined {
  const languages = Object.entries(translations)
  if (languages.length > pageLimits.languages) {
    return wrong('page.texts', `can have at most ${pageLimits.languages} languages.`, {
      reason: 'too_many',
      limit: pageLimits.languages,
    })
  }
  for (const [language, texts] of languages) {
    const at = `page.texts.${language.slice(0, 40)}`
    if (!isLanguage(language)) {
      return wrong(at, 'is no language: write its BCP 47 tag, such as de or pt-BR.', {
        reason: 'no_language',
      })
    }
    const broken = checkTexts(texts, at) ?? checkKeys(texts, fields, at)
    if (broken) return broken
  }
  return undefined
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag
  } catch {
    return false
  }
}

function checkKeys(
  { labels = {}, options = {} }: FormTranslation,
  fields: readonly FormField[],
  at: string,
): Refusal | undefined {
  const byKey = new Map(fields.map((field) => [field.key, field]))
  const unknown = [...Object.keys(labels), ...Object.keys(options)].find((key) => !byKey.has(key))
  if (unknown !== undefined) {
    const keys = [...byKey.keys()].join(', ')
    return wrong(at, `names the field ${unknown.slice(0, 80)}; the fields are ${keys}.`)
  }
  for (const [key, names] of Object.entries(options)) {
    const own = byKey.get(key)?.options ?? []
    const missing = Object.keys(names).find((option) => !own.includes(option))
    if (missing === undefined) continue
    return wrong(
      `${at}.options.${key}`,
      `names an option the field does not have: ${missing.slice(0, 80)}.`,
    )
  }
  return undefined
}

function wrong(
  field: string,
  rule: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field, data })
}
