/**
 * UTM parameters of links, by which web analytics tell where a visitor came from: as callers write
 * and see them, for the default of a business and a campaign's own, and as they are added to a URL.
 */
import { Type } from '../lib/schema/schema.ts'
import { hasUnseen } from '../lib/text/visible-text.ts'
import { refuse } from './errors.ts'

const utmKeys = ['source', 'medium', 'campaign', 'term', 'content'] as const
export type Utm = Partial<Record<(typeof utmKeys)[number], string>>

const utmLimits = { valueLength: 100 } as const

const value = () => Type.Optional(Type.String({ maxLength: utmLimits.valueLength }))
const values = {
  source: value(),
  medium: value(),
  campaign: value(),
  term: value(),
  content: value(),
}

/** The keys are checked by `readUtm`, so that lists of tools need not repeat them. */
export const utmValues = (description?: string) =>
  Type.Object({}, { additionalProperties: true, ...(description && { description }) })

/** Null for those of the business. */
export const utmInput = (description: string) =>
  Type.Optional(Type.Union([utmValues(), Type.Null()], { description }))

export const utmView = Type.Union([Type.Object(values), Type.Null()])

/** Without empty values, in the order of the keys. `{}` adds nothing to links. */
export function readUtm(input: object): Utm {
  const fields: Record<string, unknown> = { ...input }
  const read: Utm = {}
  const unknown = Object.keys(fields).find((key) => !utmKeys.some((utmKey) => utmKey === key))
  if (unknown !== undefined) {
    const message = `utm accepts only ${utmKeys.join(', ')}.`
    throw refuse('invalid_request', message, { field: 'utm', data: { reason: 'unknown_field' } })
  }
  for (const key of utmKeys) {
    const value = fields[key] ?? ''
    const text = typeof value === 'string' ? value.normalize('NFC').trim() : undefined
    if (text === undefined || text.length > utmLimits.valueLength || hasUnseen(text)) {
      const message = `utm.${key} must be one line of at most ${utmLimits.valueLength} characters.`
      throw refuse('invalid_request', message, {
        field: `utm.${key}`,
        data: { reason: 'one_short_line', limit: utmLimits.valueLength },
      })
    }
    if (text !== '') read[key] = text
  }
  if (Object.keys(read).length > 0 && read.source === undefined) {
    const message = 'utm.source is missing: analytics ignore the other values without it.'
    throw refuse('invalid_request', message, {
      field: 'utm.source',
      data: { reason: 'utm_without_source' },
    })
  }
  return read
}

/** Returns the URL with the parameters, or as it was where they would change something else. */
type TagUrl = (url: string) => string

/** The most characters of a URL with its parameters. */
const longestUrl = 2_000

/** Parameters of links that are signed as a whole: one more parameter makes them invalid. */
const signatures = new Set([
  'x-amz-signature',
  'x-goog-signature',
  'signature',
  'sig',
  'hmac',
  'oauth_signature',
  'hdnts',
  'verify',
])

/** `ownHosts` are those of this service, whose links lead to a person's own pages. */
export function urlTagger(utm: Utm, ownHosts: readonly string[]): TagUrl {
  const added = utmKeys
    .flatMap((key) => {
      const value = utm[key]
      return value === undefined ? [] : [`utm_${key}=${encodeURIComponent(value)}`]
    })
    .join('&')
  return (text) => {
    const url = URL.parse(text)
    if (added === '' || !url || !isOfTheWeb(url) || ownHosts.includes(url.host)) return text
    if (keepsItsQuery(url)) return text
    // What is there stays byte for byte; the fragment follows the query.
    const hash = text.indexOf('#')
    const before = hash === -1 ? text : text.slice(0, hash)
    const after = hash === -1 ? '' : text.slice(hash)
    const tagged = before + joint(before) + added + after
    return tagged.length <= longestUrl ? tagged : text
  }
}

const isOfTheWeb = ({ protocol }: URL) => protocol === 'https:' || protocol === 'http:'

/** A link with its own utm_ values says itself where its visitors come from. */
function keepsItsQuery({ searchParams }: URL): boolean {
  for (const key of searchParams.keys()) {
    const name = key.toLowerCase()
    if (name.startsWith('utm_') || signatures.has(name)) return true
  }
  return false
}

function joint(before: string): string {
  if (!before.includes('?')) return '?'
  return before.endsWith('?') || before.endsWith('&') ? '' : '&'
}
