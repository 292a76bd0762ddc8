/** The time zones in which a phone number could be. Pure: its tables are ICU's and our own. */

import type { CountryCode } from 'libphonenumber-js/max'
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
  const cached = byCountry.get(country)
  if (cached) return cached
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

/**
 * The time zones of area codes whose mobile numbers reveal them: in North America (+1) and Brazil
 * (+55). Elsewhere a mobile number reveals only its country. Condensed from libphonenumber's
 * `resources/timezones/map_data.txt` (Apache 2.0, July 2026). A code has every zone of any of its
 * numbers there, since people take a number along within its area, and an overlay code has the
 * zones of the code that it overlays. Zones with the same hours are represented by one of them.
 *
 * Each entry has zones, and the area codes that lie in all of them together.
 */
const northAmerica: Record<string, string> = {
  'America/New_York':
    '201 202 203 207 212 215 216 220 223 227 229 231 234 239 240 248 252 260 267 269 272 276 ' +
    '283 301 302 304 305 313 315 317 321 324 326 329 330 332 336 339 347 351 352 363 380 386 ' +
    '401 404 407 410 412 413 419 434 440 443 445 463 470 472 475 478 484 502 508 513 516 517 ' +
    '518 540 551 561 567 570 571 582 585 586 603 607 609 610 614 616 617 631 640 645 646 656 ' +
    '667 678 680 681 686 703 704 706 716 717 718 724 727 728 732 734 740 743 754 757 762 765 ' +
    '770 771 772 774 781 786 802 803 804 810 813 814 821 826 828 835 838 839 843 845 848 854 ' +
    '856 857 859 860 862 863 864 865 878 904 908 910 912 914 917 919 929 934 937 941 943 947 ' +
    '948 954 959 973 978 980 984 989',
  'America/Chicago':
    '205 210 214 217 218 224 225 228 235 251 254 256 262 274 281 309 312 314 316 318 319 320 ' +
    '325 327 331 334 337 346 353 361 402 405 409 414 417 430 432 447 464 469 479 501 504 507 ' +
    '512 515 531 534 539 557 563 572 573 580 601 608 612 615 618 629 630 636 641 651 659 660 ' +
    '662 682 689 708 712 713 715 726 730 731 737 763 769 773 779 806 815 816 817 830 832 847 ' +
    '870 872 901 903 913 918 920 931 936 938 940 945 952 956 972 975 979 985',
  'America/Los_Angeles':
    '206 209 213 253 279 310 323 341 350 360 369 408 415 424 425 442 503 509 510 530 559 562 ' +
    '564 619 626 628 650 657 661 669 702 707 714 725 738 747 760 805 818 820 831 840 858 909 ' +
    '916 925 949 951 971',
  'America/Toronto':
    '226 249 263 289 343 354 365 382 416 437 438 450 468 514 519 548 579 613 647 683 705 742 ' +
    '753 819 873 905 942',
  'America/Denver': '303 307 385 406 435 505 575 719 720 748 801 915 970 983',
  'America/Chicago America/New_York': '219 270 364 423 448 574 606 812 850 906 930',
  'America/Chicago America/Denver': '308 605 620 701 785',
  'America/Denver America/Los_Angeles': '208 458 541 775 986',
  'America/Edmonton': '368 403 587 780 825',
  'America/Edmonton America/Vancouver': '236 250 257 672 778',
  'America/Halifax': '428 506 782 902',
  'America/Phoenix': '480 520 602 623',
  'America/Winnipeg': '204 431 474 584',
  'America/Halifax America/Toronto': '367 418 581',
  'America/Santo_Domingo': '809 829 849',
  'America/Halifax America/St_Johns': '709 879',
  'America/Jamaica': '658 876',
  'America/Puerto_Rico': '787 939',
  'America/Regina': '306 639',
  'America/Adak America/Anchorage America/Juneau Pacific/Honolulu': '907',
  'America/Anguilla': '264',
  'America/Antigua': '268',
  'America/Barbados': '246',
  'America/Cayman': '345',
  'America/Denver America/Phoenix': '928',
  'America/Dominica': '767',
  'America/Edmonton America/Fort_Nelson America/Toronto America/Vancouver America/Winnipeg': '867',
  'America/Grand_Turk': '649',
  'America/Grenada': '473',
  'America/Lower_Princes': '721',
  'America/Montserrat': '664',
  'America/Nassau': '242',
  'America/Port_of_Spain': '868',
  'America/St_Kitts': '869',
  'America/St_Lucia': '758',
  'America/St_Thomas': '340',
  'America/St_Vincent': '784',
  'America/Toronto America/Winnipeg': '807',
  'America/Tortola': '284',
  'America/Vancouver': '604',
  'Atlantic/Bermuda': '441',
  'Pacific/Guam': '671',
  'Pacific/Honolulu': '808',
  'Pacific/Pago_Pago': '684',
  'Pacific/Saipan': '670',
}

// 81 covers Recife and the islands of Fernando de Noronha; 97 is Amazonas to its western end.
const brazil: Record<string, string> = {
  'America/Sao_Paulo':
    '11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 ' +
    '51 53 54 55 61 62 63 64 71 73 74 75 77 79 82 83 84 85 86 87 88 89 91 93 94 96 98 99',
  'America/Manaus': '65 66 67 69 92 95',
  'America/Manaus America/Rio_Branco': '97',
  'America/Noronha America/Sao_Paulo': '81',
  'America/Rio_Branco': '68',
}

const codeLengths = new Map([
  ['1', 3],
  ['55', 2],
])

const zonesByCode = new Map([...entriesOf('1', northAmerica), ...entriesOf('55', brazil)])

function entriesOf(country: string, table: Record<string, string>): [string, string[]][] {
  return Object.entries(table).flatMap(([zones, codes]) =>
    codes.split(' ').map((code): [string, string[]] => [`${country}${code}`, zones.split(' ')]),
  )
}

/** The zones of the number's area code; undefined where the code does not reveal any. */
function zonesOfArea(callingCode: string, national: string): string[] | undefined {
  const length = codeLengths.get(callingCode)
  return length === undefined
    ? undefined
    : zonesByCode.get(`${callingCode}${national.slice(0, length)}`)
}
