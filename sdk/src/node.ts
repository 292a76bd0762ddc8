/**
 * Crier's SDK on Node: all of `@crier-mail/sdk`, and what needs a file, a socket or `node:crypto`:
 * signing a person in on this machine, sealed files, and webhooks without a promise.
 *
 * @packageDocumentation
 */

import { type Client as AnyClient, type ClientOptions, connect, type Status } from './client.ts'
import { noSignInNeeded } from './sign-in/key-source.ts'
import { type SignInOptions, signInOverLoopback } from './sign-in/sign-in.ts'

export * from './index.ts'
export type { SignInOptions } from './sign-in/sign-in.ts'
export { type SealedFileOptions, sealedFile } from './tokens/sealed-file.ts'
export type { Delivery } from './webhooks/delivery.ts'
export { signWebhook, type ToSign } from './webhooks/sign-webhook.ts'
export { verifyWebhook } from './webhooks/verify-webhook.ts'
export type { WebhookHeaders } from './webhooks/webhook-headers.ts'

/** See {@link createClient}. */
export interface Client extends AnyClient {
  /** Signs a person in through a browser on this machine, and stores the connection. */
  signIn(options: SignInOptions): Promise<Status>
}

/** A client that can also sign a person in. */
export function createClient(options: ClientOptions): Client {
  const { client, oauth, store, world } = connect(options)
  return {
    ...client,
    async signIn(how) {
      if (options.store === undefined) throw noSignInNeeded()
      const connection = await signInOverLoopback(oauth, () => world.now(), how)
      await store.exclusive(() => store.write(connection))
      return client.status()
    },
  }
}
