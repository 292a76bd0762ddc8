/** The table of adapters: one row for each provider, by its name in the path. */

import type { ProviderSettings } from '../../config/providers.ts'
import type { Config } from '../../config.ts'
import { type Lazy, lazily } from '../../lib/concurrency/lazily.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Outbound } from '../../lib/http-client/outbound-fetch.ts'
import type { Provider } from './provider.ts'
import type { Fetch } from './sns.ts'

interface ProviderDeps {
  config: Pick<Config, 'slug'> & Partial<ProviderSettings>
  vault: Pick<Vault, 'hmac'>
  fetch: Fetch
}

type Load = () => Promise<Provider>

/** Returns undefined where the settings do not have what the provider's proof takes. */
type Adapter = (deps: ProviderDeps) => Load | undefined

const adapters: Readonly<Record<string, Adapter>> = {
  generic: ({ config: { providerSecret: secret, slug } }) =>
    ifSet(secret, async (is) =>
      (await import('./generic.ts')).genericProvider({ secret: is, slug }),
    ),
  ses: ({ config: { sesTopics: topics = [] }, vault, fetch }) =>
    ifSet(topics.length > 0 ? topics : undefined, async () => {
      const { createSnsReader } = await import('./sns.ts')
      const sns = createSnsReader({ topics, fetch })
      return (await import('./ses.ts')).sesProvider({ vault, sns, fetch })
    }),
  sendgrid: ({ config }) =>
    ifSet(config.sendgridKey, async (key) =>
      (await import('./sendgrid.ts')).sendgridProvider({ key }),
    ),
  postmark: ({ config }) =>
    ifSet(config.postmarkLogin, async (login) =>
      (await import('./postmark.ts')).postmarkProvider({ login }),
    ),
  mailgun: ({ config }) =>
    ifSet(config.mailgunKey, async (key) =>
      (await import('./mailgun.ts')).mailgunProvider({ key }),
    ),
  brevo: ({ config }) =>
    ifSet(config.brevoLogin, async (login) =>
      (await import('./brevo.ts')).brevoProvider({ login }),
    ),
  resend: ({ config }) =>
    ifSet(config.resendKey, async (key) => (await import('./resend.ts')).resendProvider({ key })),
  mailjet: ({ config }) =>
    ifSet(config.mailjetLogin, async (login) =>
      (await import('./mailjet.ts')).mailjetProvider({ login }),
    ),
}

const ifSet = <T>(value: T | undefined, load: (value: T) => Promise<Provider>): Load | undefined =>
  value === undefined ? undefined : () => load(value)

/** The providers that the settings name. Each is loaded with its first notification. */
export function providersOf(deps: ProviderDeps): Map<string, Provider> {
  return new Map(
    Object.entries(adapters).flatMap(([name, adapter]): [string, Provider][] => {
      const load = adapter(deps)
      if (!load) return []
      const provider = lazily(load)
      return [[name, { read: async (request) => (await provider.get()).read(request) }]]
    }),
  )
}

/** Fetches through the guard; returns undefined unless the answer is complete with status 200. */
export function fetchBytes(outbound: Lazy<Outbound>): Fetch {
  return async (url) => {
    const answer = await (await outbound.get()).fetch({ url })
    const fine = answer.outcome === 'answered' && answer.status === 200 && answer.complete
    return fine ? answer.body : undefined
  }
}
