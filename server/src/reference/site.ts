/** Where an installation is, as its reference names it. */
export interface Site {
  /** The first part of tool names and scopes. */
  slug: string
  /** Public addresses, without a trailing slash. */
  baseUrl: string
  appUrl: string
  gatewayUrl: string
}

const local = 'http://localhost:8080'

/** A fresh installation: what the committed reference is printed for. */
export const freshSite: Site = { slug: 'svc', baseUrl: local, appUrl: local, gatewayUrl: local }
