/** Rules about forms that a JSON schema cannot express. */
import { type Refusal, refuse } from '../core/errors.ts'
import { checkPage } from './check-page.ts'
import {
  addressField,
  addressTypes,
  channelOf,
  emailConsentField,
  type FormDesign,
  type FormField,
  formLimits,
} from './form.ts'

/** Checks a form; the refusal names the first rule it breaks, and where. */
export function checkDesign(design: FormDesign): Refusal | undefined {
  const { name, fields, tags, status, page } = design
  if (!isSingleLine(name))
    return refuseDesign('name', 'must be one line of text.', { reason: 'one_line' })
  const tag = tags.findIndex((text) => !isSingleLine(text))
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
    if (!isSingleLine(option))
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

function isSingleLine(text: string): boolean {
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
