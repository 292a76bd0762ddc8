/**
 * The world's numbering plans, read at the first phone number: 20 ms once, and 8 MB that a
 * service without phone numbers does not hold.
 */
import { createRequire } from 'node:module'

type Plans = Pick<typeof import('libphonenumber-js/max'), 'parsePhoneNumberFromString'>

const require = createRequire(import.meta.url)
let plans: Plans | undefined

/** At once and not by `import()`: whoever checks a number is in the middle of its work. */
export function numberingPlans(): Plans {
  plans ??= require('libphonenumber-js/max') as Plans
  return plans
}
