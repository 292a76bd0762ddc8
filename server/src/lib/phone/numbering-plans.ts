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
