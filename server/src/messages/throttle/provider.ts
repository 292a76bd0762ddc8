/**
 * The large mailbox providers have many domains each, and judge a sender over all of them. Domains
 * of others at these providers are known by their mail servers (`receiving.ts`).
 */
const domainsOf: Readonly<Record<string, readonly string[]>> = {
  gmail: ['gmail.com', 'googlemail.com'],
  microsoft: [
    'outlook.com',
    'outlook.de',
    'outlook.fr',
    'hotmail.com',
    'hotmail.co.uk',
    'hotmail.de',
    'hotmail.fr',
    'hotmail.it',
    'live.com',
    'live.co.uk',
    'live.fr',
    'live.nl',
    'msn.com',
  ],
  yahoo: [
    'yahoo.com',
    'yahoo.co.uk',
    'yahoo.de',
    'yahoo.es',
    'yahoo.fr',
    'yahoo.it',
    'ymail.com',
    'rocketmail.com',
    'aol.com',
  ],
  apple: ['icloud.com', 'me.com', 'mac.com'],
}

const providersByDomain = new Map(
  Object.entries(domainsOf).flatMap(([provider, domains]) =>
    domains.map((domain) => [domain, provider] as const),
  ),
)

/**
 * Texts have one provider, because the carrier of a number is not known here. The name is not
 * empty, because the row with an empty name holds the domain's rate.
 */
export const textProvider = 'network'

export const domainOf = (address: string) =>
  address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** The large provider whose own domain this is. */
export const largeProvider = (domain: string): string | undefined => providersByDomain.get(domain)
