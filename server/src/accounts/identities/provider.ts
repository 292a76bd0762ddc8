/**
 * A company's identity provider (OpenID Connect Core 1.0), at which its people sign in: that of the
 * installation, or that of a business for its own mail domains.
 *
 * Reading order: company.ts (what an owner sets), domain-proof.ts (whose domains they are),
 * relying-party.ts (what is said with a provider, and verified), attempt.ts (a sign-in is begun in a
 * browser, and answered once), arrive.ts (who signs in), link.ts (an account that exists is linked by
 * its person), identity.ts (seen and unlinked), renew.ts (a person is asked for there each hour), core/provider-refusals.ts (many at once), log-out.ts.
 */
import type { CompanySignIn } from '../../config/company-sign-in.ts'
import type { Id } from '../../core/ids.ts'
import type { Role } from '../../core/operation.ts'

export interface Provider {
  /** Null for the provider of the installation. */
  businessId: Id<'business'> | null
  issuer: string
  clientId: string
  clientSecret: string | undefined
  name: string
  /** Whose addresses count without `email_verified`. */
  trustedDomains: readonly string[]
  /** Set for a business's provider: the proven domains whose people it signs in, and new people's roles. */
  ofBusiness?: { domains: readonly string[]; roles: readonly GroupRole[]; defaultRole: Role | null }
}

/** The role that somebody new of this group gets. */
export interface GroupRole {
  group: string
  role: Role
}

/** The pages of signing in at a provider. */
export const companyPath = '/login/company'

/** Where a provider sends the browser back; it is registered there. Each provider has its own. */
export function returnUrlOf({ appUrl }: { appUrl: string }, businessId?: string): string {
  const path = businessId === undefined ? companyPath : `${companyPath}/${businessId}`
  return `${appUrl}${path}/return`
}

/** The provider that the settings name. */
export function ownProvider({
  companySignIn,
}: {
  companySignIn: CompanySignIn | undefined
}): Provider | undefined {
  return companySignIn && { businessId: null, ...companySignIn }
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)
