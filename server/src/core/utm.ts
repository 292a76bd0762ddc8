/** UTM parameters as callers write and see them, for the default of a business and a campaign's own. */

import { Type } from '../lib/schema/schema.ts'
import { type Utm, utmKeys } from '../lib/text/utm.ts'
import { hasUnseen } from '../lib/text/visible-text.ts'
import { type Refusal, refuse } from './errors.ts'

export const utmLimits = { valueLength: 100 } as const

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
export function readUtm(input: object): Utm | Refusal {
  const given: Record<string, unknown> = { ...input }
  const read: Utm = {}
  const unknown = Object.keys(given).find((key) => !utmKeys.some((known) => known === key))
  if (unknown !== undefined) {
    const message = `utm takes ${utmKeys.join(', ')}.`
    return refuse('invalid_request', message, { field: 'utm' })
  }
  for (const key of utmKeys) {
    const said = given[key] ?? ''
    const text = typeof said === 'string' ? said.normalize('NFC').trim() : undefined
    if (text === undefined || text.length > utmLimits.valueLength || hasUnseen(text)) {
      const message = `utm.${key} takes one line of at most ${utmLimits.valueLength} characters.`
      return refuse('invalid_request', message, { field: `utm.${key}` })
    }
    if (text !== '') read[key] = text
  }
  if (Object.keys(read).length > 0 && read.source === undefined) {
    const message = 'utm.source is missing: analytics ignore the other values without it.'
    return refuse('invalid_request', message, { field: 'utm.source' })
  }
  return read
}
