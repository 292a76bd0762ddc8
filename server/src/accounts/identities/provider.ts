/**
 * A company's identity provider (OpenID Connect Core 1.0), at which its people sign in.
 *
 * Reading order: relying-party.ts (what is said with a provider, and verified), attempt.ts (a sign-in
 * is begun in a browser, and answered once), arrive.ts (who signs in), link.ts (an account that exists
 * is linked by its person).
 */
import type { CompanySignIn } from '../../config/company-sign-in.ts'

export interface Provider {
  /** Null for the provider of the installation. */
  id: null
  issuer: string
  clientId: string
  clientSecret: string | undefined
  name: string
  /** Whose addresses count without `email_verified`. */
  trustedDomains: readonly string[]
}

/** The pages of signing in at a provider. */
export const companyPath = '/login/company'

/** Where a provider sends the browser back; it is registered there. */
export const returnUrlOf = ({ appUrl }: { appUrl: string }): string =>
  `${appUrl}${companyPath}/return`

/** The provider that the settings name. */
export function ownProvider({
  companySignIn,
}: {
  companySignIn: CompanySignIn | undefined
}): Provider | undefined {
  return companySignIn && { id: null, ...companySignIn }
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)
