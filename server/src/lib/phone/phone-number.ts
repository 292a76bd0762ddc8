/**
 * Phone numbers in E.164 (ITU-T), in which each has one spelling. Unless the caller knows the country
 * in which a number was typed, each number must contain its country code.
 */
import type { CountryCode } from 'libphonenumber-js/max'

import { type Refusal, refuse } from '../schema/refusal.ts'
import { withoutInvisible } from '../text/visible-text.ts'
import { numberingPlans } from './numbering-plans.ts'

// Fifteen digits (E.164 section 6.2.1), and room for spaces, brackets and a carrier's zero.
const longestTyped = 40

/**
 * Numbers that exist nowhere, for trying things out: no country has +999, which the ITU keeps for a
 * service to come.
 */
const invented = /^\+999000\d{1,9}$/

export const isInventedPhone = (number: string): boolean => invented.test(number)

/** `country` is that of numbers without a country code: two capital letters of a known one. */
export function normalisePhone(text: string, country?: string): string | Refusal {
  // Full-width digits and plus are what Japanese keyboards type.
  const typed = withoutInvisible(text.normalize('NFKC')).trim()
  if (typed.length > longestTyped) return invalidPhone('is too long for a phone number')
  if (!typed.startsWith('+') && country === undefined) {
    return invalidPhone('needs its country code, with a plus before it')
  }
  const plain = typed.replace(/[ ().-]/g, '')
  if (isInventedPhone(plain)) return plain
  const number = numberingPlans().parsePhoneNumberFromString(typed, {
    extract: false,
    ...(country !== undefined && { defaultCountry: country as CountryCode }),
  })
  if (!number?.isValid()) return invalidPhone('is no phone number that exists')
  if (number.ext !== undefined) return invalidPhone('must not have an extension')
  return number.number
}

function invalidPhone(fault: string): Refusal {
  return refuse('invalid_request', `phone ${fault}. It looks like +33 6 12 34 56 78.`, {
    field: 'phone',
    data: { reason: 'no_phone' },
  })
}
