/** The identity provider of the installation, at which everybody may sign in (OpenID Connect). */
import { isThisMachine } from '../lib/http-client/outbound-guard.ts'
import { ConfigError, readDomain } from './readers.ts'

export interface CompanySignIn {
  issuer: string
  clientId: string
  clientSecret: string | undefined
  /** As the button on the sign-in page says it. */
  name: string
  /** Whose addresses count without `email_verified`. */
  trustedDomains: readonly string[]
}

export function readCompanySignIn(
  text: (name: string) => string | undefined,
): CompanySignIn | undefined {
  const issuer = text('OIDC_ISSUER')
  const clientId = text('OIDC_CLIENT_ID')
  if (issuer === undefined && clientId === undefined) return undefined
  if (issuer === undefined || clientId === undefined) {
    throw new ConfigError('OIDC_ISSUER and OIDC_CLIENT_ID go together: set both, or neither.')
  }
  if (!isIssuer(issuer)) {
    throw new ConfigError(
      `OIDC_ISSUER must be the https:// address of a provider as it names itself, without query and fragment, not "${issuer}".`,
    )
  }
  const domains = (text('OIDC_TRUSTED_DOMAINS') ?? '').split(/[\s,]+/).filter(Boolean)
  return {
    issuer,
    clientId,
    clientSecret: text('OIDC_CLIENT_SECRET'),
    name: text('OIDC_NAME') ?? new URL(issuer).hostname,
    trustedDomains: domains.map((domain) => readDomain(domain, 'OIDC_TRUSTED_DOMAINS')),
  }
}

/** Whether the text may be an issuer (OpenID Connect Discovery, section 3): https, but for this machine. */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url?.search !== '' || url.hash !== '' || url.username !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(text))
}
