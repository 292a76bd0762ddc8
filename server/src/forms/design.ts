/** Rules about forms that a JSON schema cannot express. */

import { type Refusal, refuse } from '../core/errors.ts'
import { schemaCheck } from '../core/schema-check.ts'
import { isSingleLine } from '../lib/text/single-line.ts'
import { readUrl } from './answers.ts'
import {
  addressField,
  addressTypes,
  channelOf,
  emailConsentField,
  type FormDesign,
  type FormField,
  formLimits,
} from './form.ts'
import { type FormPage, type FormTranslation, formPage, pageLimits } from './form-page.ts'

/** Checks a form; the refusal names the first rule it breaks, and where. */
export function checkDesign(design: FormDesign): Refusal | undefined {
  const { name, fields, tags, status, page } = design
  if (!isTrimmedLine(name))
    return refuseDesign('name', 'must be one line of text.', { reason: 'one_line' })
  const tag = tags.findIndex((text) => !isTrimmedLine(text))
  if (tag >= 0)
    return refuseDesign(`tags[${tag}]`, 'must be one line of text without spaces around it.', {
      reason: 'one_line',
    })
  return (
    checkSize(fields) ??
    checkFields(fields) ??
    checkConsent(fields) ??
    checkTopics(fields) ??
    checkPage(page, fields) ??
    (status === 'published' ? checkReachable(fields) : undefined)
  )
}

const typesWithOptions: readonly string[] = ['select', 'radio', 'several-of', 'topics']

function checkFields(fields: FormField[]): Refusal | undefined {
  const places = new Map<string, number>()
  for (const [i, field] of fields.entries()) {
    const at = `fields[${i}]`
    const before = places.get(field.key)
    if (before !== undefined) {
      return refuseDesign(
        `${at}.key`,
        `is that of fields[${before}] too: each field needs its own.`,
        { reason: 'key_taken' },
      )
    }
    places.set(field.key, i)
    if (field.label.trim() === '' || hasControlCharacters(field.label)) {
      return refuseDesign(
        `${at}.label`,
        'must be text without control characters other than line breaks.',
        { reason: 'unseen_characters' },
      )
    }
    const refusal = checkOptions(field, at)
    if (refusal) return refusal
  }
  return undefined
}

function checkOptions({ type, options }: FormField, at: string): Refusal | undefined {
  if (!typesWithOptions.includes(type)) {
    return (
      options &&
      refuseDesign(`${at}.options`, `are for ${typesWithOptions.join(', ')}, not for ${type}.`, {
        reason: 'field_without_options',
      })
    )
  }
  if (!options)
    return refuseDesign(`${at}.options`, `are needed: what a ${type} field lets choose from.`, {
      reason: 'options_missing',
    })
  const before = new Set<string>()
  for (const [n, option] of options.entries()) {
    const path = `${at}.options[${n}]`
    if (!isTrimmedLine(option))
      return refuseDesign(path, 'must be one line of text without spaces around it.', {
        reason: 'one_line',
      })
    if (before.has(option)) return refuseDesign(path, 'is there twice.', { reason: 'name_taken' })
    before.add(option)
    // The chosen options become one string, separated by commas (contract 9.3).
    if ((type === 'several-of' || type === 'topics') && option.includes(','))
      return refuseDesign(path, 'may not hold a comma.', { reason: 'comma_in_option' })
  }
  return undefined
}

function checkConsent(fields: FormField[]): Refusal | undefined {
  const keys = new Set<string>()
  for (const [i, field] of fields.entries()) {
    const at = `fields[${i}].channel`
    if (field.type !== 'consent') {
      if (field.channel)
        return refuseDesign(at, 'is for consent fields alone.', { reason: 'only_consent_fields' })
      continue
    }
    const channel = channelOf(field, fields)
    const type = addressTypes[channel]
    if (type && !addressField(fields, type)) {
      return refuseDesign(at, `is ${channel}, so the form needs a field of type ${type} too.`, {
        reason: 'consent_without_address',
      })
    }
    if (keys.has(channel))
      return refuseDesign(at, `is ${channel}, for which there is a consent field already.`, {
        reason: 'consent_twice',
      })
    keys.add(channel)
  }
  return undefined
}

/** Topics specify what a person agrees to get by email, so they are beside that consent. */
function checkTopics(fields: FormField[]): Refusal | undefined {
  const [first, second] = fields.flatMap(({ type }, i) => (type === 'topics' ? [i] : []))
  if (second !== undefined) {
    return refuseDesign(`fields[${second}].type`, `is topics, as is that of fields[${first}].`, {
      reason: 'topics_twice',
    })
  }
  if (first === undefined || emailConsentField(fields)) return undefined
  const rule = 'is topics, so the form needs a consent field for email too.'
  return refuseDesign(`fields[${first}].type`, rule, { reason: 'topics_without_consent' })
}

function checkSize(fields: FormField[]): Refusal | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(fields))
  const maximum = formLimits.definitionBytes
  if (bytes <= maximum) return undefined
  return refuseDesign(
    'fields',
    `are ${bytes} bytes as JSON; the limit is ${maximum}. Shorten the options.`,
    { reason: 'form_too_large' },
  )
}

/** A submission creates or finds a contact, so the form must ask for an address. */
function checkReachable(fields: FormField[]): Refusal | undefined {
  if (fields.some(({ type, required }) => required && (type === 'email' || type === 'phone'))) {
    return undefined
  }
  const text =
    'need a required field of type email or phone before the form is published, so that each submission identifies a person.'
  return refuseDesign('fields', text, { reason: 'form_without_address' })
}

function isTrimmedLine(text: string): boolean {
  return text !== '' && text === text.trim() && !/[\p{Cc}\u2028\u2029]/u.test(text)
}

function hasControlCharacters(text: string): boolean {
  return /\p{Cc}/u.test(text.replaceAll('\n', ''))
}

function refuseDesign(
  field: string,
  rule: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field, data })
}

/** What a form as it is saved may disappoint by, each in a sentence. */
export function warningsOf(
  { fields, page, doubleOptIn }: Pick<FormDesign, 'fields' | 'page' | 'doubleOptIn'>,
  privacyUrl: string | null,
): string[] {
  const asksEmail = addressField(fields, 'email') !== undefined
  const consent = emailConsentField(fields)
  const asksConsent = fields.some(({ type }) => type === 'consent')
  const embeds = page.embed !== undefined && (page.allowed_sites ?? []).length === 0
  const warnings = [
    asksEmail &&
      !consent &&
      'It asks for an email address and for no consent, so it subscribes nobody. A field of type consent asks for it.',
    consent &&
      !doubleOptIn &&
      'Nobody has to confirm by mail, so anybody can subscribe somebody else’s address. double_opt_in: true asks for it.',
    asksConsent &&
      privacyUrl === null &&
      'It asks for consent and links to no privacy policy. business.save takes its address as privacy_url.',
    embeds &&
      'page.embed says how another site shows it, and no site may: name them in page.allowed_sites.',
  ]
  return warnings.filter((warning) => typeof warning === 'string')
}

/** The full schema. The tool's schema is a loose object, which saves a model's context. */
export const checkPageShape = schemaCheck(formPage, 'page')

/** The first rule that the page breaks; undefined if it breaks none. */
function checkPage(page: FormPage, fields: readonly FormField[]): Refusal | undefined {
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
