/** The addresses and names of an installation that its reference uses. */
export interface Site {
  /** The first part of tool names and scopes. */
  slug: string
  /** Public addresses, without a trailing slash. */
  baseUrl: string
  appUrl: string
  gatewayUrl: string
}

const local = 'http://localhost:8080'

/** A fresh installation, for which the committed reference is printed. */
export const freshSite: Site = { slug: 'svc', baseUrl: local, appUrl: local, gatewayUrl: local }
