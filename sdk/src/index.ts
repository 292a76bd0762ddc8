/**
 * Crier's SDK: calls a Crier server, in any runtime that has `fetch`. `@crier-mail/sdk/node` adds
 * sign-in and sealed files, and `@crier-mail/sdk/webhooks` receives webhooks.
 *
 * @packageDocumentation
 */

export type { InboxMail, MailToWaitFor } from './calls/inbox.ts'
export type { Items, Page } from './calls/pages.ts'
export {
  type CallOptions,
  type Hooks,
  type RequestInfo,
  type ResponseFacts,
  type ResponseInfo,
  responseOf,
} from './calls/rest.ts'
export { type Client, type ClientOptions, createClient, type Status, type Tool } from './client.ts'
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CrierError,
  type ErrorCode,
  type Fix,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  type Problem,
  RateLimitError,
  ServerError,
  WebhookError,
} from './errors/error.ts'
export type { CrierEvent, EventData, EventType } from './generated/events.ts'
export type * from './generated/operations.ts'
export type { Authorization, AuthorizationRequest } from './sign-in/authorization.ts'
export { createOAuth, type OAuth, type Registration } from './sign-in/oauth.ts'
export {
  type Connection,
  readConnection,
  type Tokens,
  writeConnection,
} from './tokens/connection.ts'
export { Secret } from './tokens/secret.ts'
export { memoryStore, type Store } from './tokens/store.ts'
export type { World } from './transport/http.ts'
export type { ServerMetadata } from './transport/server-metadata.ts'
