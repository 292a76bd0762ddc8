/** The providers that the settings name. */
import type { Config } from '../../config.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { genericProvider } from './generic.ts'
import type { Provider } from './provider.ts'
import { sendgridProvider } from './sendgrid.ts'
import { sesProvider } from './ses.ts'
import { createSnsReader, type Fetch } from './sns.ts'

export interface ProviderDeps {
  config: Pick<Config, 'slug' | 'providerSecret' | 'sesTopics' | 'sendgridKey'>
  vault: Pick<Vault, 'hmac'>
  fetch: Fetch
}

export function providersOf({ config, vault, fetch }: ProviderDeps): Map<string, Provider> {
  const { slug, providerSecret, sesTopics, sendgridKey } = config
  const providers = new Map<string, Provider>()
  if (providerSecret) providers.set('generic', genericProvider({ secret: providerSecret, slug }))
  if (sendgridKey) providers.set('sendgrid', sendgridProvider({ key: sendgridKey }))
  if (sesTopics.length > 0) {
    const sns = createSnsReader({ topics: sesTopics, fetch })
    providers.set('ses', sesProvider({ vault, sns, fetch }))
  }
  return providers
}
