/**
 * Crier's SDK: sign in to a Crier server and call its tools.
 *
 * @packageDocumentation
 */
export type { Authorization, AuthorizationRequest } from './authorization.ts'
export { type Client, type ClientOptions, createClient, type Status, type Tool } from './client.ts'
export { type Connection, readConnection, type Tokens, writeConnection } from './connection.ts'
export { CrierError, type ErrorCode, type Fix, type Problem } from './error.ts'
export type { CrierEvent, EventData, EventType } from './generated/events.ts'
export type * from './generated/operations.ts'
export type { World } from './http.ts'
export { createOAuth, type OAuth, type Registration } from './oauth.ts'
export type { CallOptions } from './rpc.ts'
export { type SealedFileOptions, sealedFile } from './sealed-file.ts'
export { Secret } from './secret.ts'
export type { ServerMetadata } from './server-metadata.ts'
export type { SignInOptions } from './sign-in.ts'
export { signWebhook, type ToSign } from './sign-webhook.ts'
export { memoryStore, type Store } from './store.ts'
export { type Delivery, verifyWebhook } from './verify-webhook.ts'
export type { WebhookHeaders } from './webhook-headers.ts'
