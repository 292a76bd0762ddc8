/** The time zones in which a phone number could be. Pure: its tables are ICU's and our own. */
import type { CountryCode } from 'libphonenumber-js/max'
import { zonesOfArea } from './area-codes.ts'
import { numberingPlans } from './numbering-plans.ts'

/** Regions that have calling codes but no zones in ICU. */
const zonesBeyondIcu = new Map<string, string[]>([
  ['AC', ['Atlantic/St_Helena']],
  ['TA', ['Atlantic/St_Helena']],
  ['XK', ['Europe/Belgrade']],
])

/**
 * Every zone that a number (E.164) could be in: the zones of its area code where mobile numbers
 * have one, else of its country, else of all countries that share its calling code. A number
 * without a country, such as a satellite phone's, has no zones.
 */
export function zonesOfNumber(number: string): string[] {
  const parsed = numberingPlans().parsePhoneNumberFromString(number)
  if (!parsed) return []
  const area = zonesOfArea(parsed.countryCallingCode, parsed.nationalNumber)
  if (area) return area
  const countries = parsed.country ? [parsed.country] : parsed.getPossibleCountries()
  return [...new Set(countries.flatMap(zonesOfCountry))]
}

const byCountry = new Map<CountryCode, string[]>()

function zonesOfCountry(country: CountryCode): string[] {
  const known = byCountry.get(country)
  if (known) return known
  const zones = zonesBeyondIcu.get(country) ?? icuZones(country)
  byCountry.set(country, zones)
  return zones
}

/** ECMA-402's Locale Info, which TypeScript's library does not declare yet. */
interface LocaleInfo extends Intl.Locale {
  getTimeZones(): string[] | undefined
}

/** ICU's table comes with Node and is updated with it. */
function icuZones(country: CountryCode): string[] {
  return (new Intl.Locale(`und-${country}`) as LocaleInfo).getTimeZones() ?? []
}
