/**
 * Crier's SDK: sign in to a Crier server and call its tools.
 *
 * @packageDocumentation
 */

export type { CallOptions } from './calls/rpc.ts'
export { type Client, type ClientOptions, createClient, type Status, type Tool } from './client.ts'
export { CrierError, type ErrorCode, type Fix, type Problem } from './errors/error.ts'
export type { CrierEvent, EventData, EventType } from './generated/events.ts'
export type * from './generated/operations.ts'
export type { Authorization, AuthorizationRequest } from './sign-in/authorization.ts'
export { createOAuth, type OAuth, type Registration } from './sign-in/oauth.ts'
export type { SignInOptions } from './sign-in/sign-in.ts'
export {
  type Connection,
  readConnection,
  type Tokens,
  writeConnection,
} from './tokens/connection.ts'
export { type SealedFileOptions, sealedFile } from './tokens/sealed-file.ts'
export { Secret } from './tokens/secret.ts'
export { memoryStore, type Store } from './tokens/store.ts'
export type { World } from './transport/http.ts'
export type { ServerMetadata } from './transport/server-metadata.ts'
export { signWebhook, type ToSign } from './webhooks/sign-webhook.ts'
export { type Delivery, verifyWebhook } from './webhooks/verify-webhook.ts'
export type { WebhookHeaders } from './webhooks/webhook-headers.ts'
