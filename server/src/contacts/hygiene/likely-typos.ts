/** Finds domains that are most likely a misspelt name of a large mail provider. Pure. */
import { editDistance } from '../../lib/text/nearest.ts'

/**
 * The domains of most private addresses. Similar names are all listed, so that none is mistaken for
 * another.
 */
const providers = [
  'gmail.com',
  'googlemail.com',
  'mail.com',
  'email.com',
  'ymail.com',
  'fastmail.com',
  'yahoo.com',
  'yahoo.fr',
  'yahoo.de',
  'yahoo.it',
  'yahoo.es',
  'yahoo.ca',
  'yahoo.co.uk',
  'yahoo.co.in',
  'yahoo.co.jp',
  'yahoo.com.br',
  'yahoo.com.au',
  'rocketmail.com',
  'hotmail.com',
  'hotmail.fr',
  'hotmail.de',
  'hotmail.it',
  'hotmail.es',
  'hotmail.co.uk',
  'outlook.com',
  'outlook.fr',
  'outlook.de',
  'outlook.es',
  'outlook.it',
  'live.com',
  'icloud.com',
  'protonmail.com',
  'proton.me',
  'comcast.net',
  'verizon.net',
  'sbcglobal.net',
  't-online.de',
  'freenet.de',
  'laposte.net',
  'wanadoo.fr',
  'orange.fr',
  'libero.it',
  'virgilio.it',
  'bluewin.ch',
  'telefonica.net',
  'btinternet.com',
  'virginmedia.com',
  'mail.ru',
  'yandex.ru',
  'rambler.ru',
  'rediffmail.com',
  'naver.com',
  'daum.net',
]
const providerNames = new Set(providers)

/** The shortest name that is compared; shorter ones differ by a letter or two from many others. */
const shortest = 9
/** The most letters that are wrong, missing or extra; two swapped letters count as two. */
const mostWrong = 2

/** The provider's domain that was probably meant; undefined if there is none. */
export function providerMeant(domain: string): string | undefined {
  if (providerNames.has(domain) || domain.length > 40) return undefined
  let best: { name: string; away: number } | undefined
  for (const name of providers) {
    if (name.length < shortest || Math.abs(name.length - domain.length) > mostWrong) continue
    const away = editDistance(domain, name, mostWrong)
    if (away <= mostWrong && (!best || away < best.away)) best = { name, away }
  }
  return best?.name
}
