/** Normalises domain names as people write them. */
import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { type Refusal, refuse } from '../../core/errors.ts'
import { lazily } from '../../lib/concurrency/lazily.ts'
import { isHostName } from '../../lib/dns/settings.ts'

/** Leaves room for `s1._domainkey.` within the 253 characters of a name. */
export const longestDomain = 239

// Loaded lazily, because the list of public suffixes needs memory that few services use.
const suffixes = lazily(() => import('tldts'))

export interface DomainName {
  name: string
  /** The registered domain, one label below a public suffix. */
  registrable: string
}

/**
 * `Müller.Example.` becomes `xn--mller-kva.example`. Refuses addresses, URLs and names below which
 * strangers register their own (`co.uk`, `github.io`).
 */
export async function readDomainName(text: string): Promise<DomainName> {
  const written = text.trim().replace(/\.$/, '')
  const name = /[\s/@:%?#\\]/.test(written) ? '' : domainToASCII(written).toLowerCase()
  if (!isHostName(name) || isIP(name) !== 0) {
    throw wrong('Give a domain by its name alone, such as mail.example.com.', {
      reason: 'no_domain_name',
    })
  }
  if (name.length > longestDomain) {
    throw wrong(`A domain to send from has at most ${longestDomain} characters.`, {
      reason: 'too_long',
      limit: longestDomain,
    })
  }
  const { getDomain } = await suffixes.get()
  const registrable = getDomain(name, { allowPrivateDomains: true })
  if (registrable === null)
    throw wrong('Under this name anyone can register a domain. Give one that belongs to you.', {
      reason: 'public_suffix',
    })
  return { name, registrable }
}

/** The name as people read it: `müller.example`. */
export function readableName(name: string): string {
  return domainToUnicode(name) || name
}

function wrong(message: string, data: Record<string, unknown>): Refusal {
  return refuse('invalid_request', message, { field: 'domain', data })
}
