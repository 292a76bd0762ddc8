/** The meaning of each error code, and how to fix it. */
import { type Code, statusOf } from '../core/errors.ts'

export const meanings: Record<Code, string> = {
  invalid_request: 'A field is missing or not as it should be; `field` names it.',
  invalid_grant: 'The authorization code or refresh token is used, expired or revoked.',
  invalid_client: 'The `client_id` is not known or disabled: register again.',
  invalid_redirect_uri: 'The redirect URI is not on the allow-list of this server.',
  unauthorized:
    'The access token is missing, malformed, expired or revoked: refresh once, then authorize again.',
  scope_required:
    'The connection was not given the scope in `scope`: authorize again with it added.',
  tier_required: 'The business is on a lower tier than in `tier`, or at a limit of its own.',
  unsupported_grant_type: 'The token endpoint takes `authorization_code` and `refresh_token`.',
  unsupported_response_type: 'The authorization endpoint takes `code`.',
  unsupported_token_type: 'Tokens of this kind cannot be revoked here.',
  invalid_target: '`resource` names nothing that tokens of this server open.',
  access_denied: 'The person said no.',
  role_required: 'The person needs the role in `role` in this business: an owner can give it.',
  forbidden_origin: 'Pages of that origin may not call this server.',
  not_found: 'There is no such thing, or this connection does not reach it.',
  method_not_allowed: 'The path takes other methods: those in `Allow`.',
  conflict: 'What is there stands in the way: `field` says which, `fix` how to go on.',
  cursor_expired: 'Events behind the cursor are gone: go on from `oldest_cursor`.',
  gone: 'It was there, and is kept no longer.',
  erased: 'It was about a person who was erased: nothing of it is left to send.',
  too_large: 'The body, or something in it, is larger than may be.',
  unsupported_media_type: 'Send `Content-Type: application/json`.',
  rate_limited: 'More than 600 requests in a minute with one token: wait `Retry-After` seconds.',
  internal: 'A fault of ours; `request_id` finds it in the log.',
  unavailable: 'The database is away just now: try again after `Retry-After` seconds.',
}

/** Codes that only the OAuth endpoints return. */
const ofSignIn = new Set<Code>([
  'invalid_grant',
  'invalid_client',
  'invalid_redirect_uri',
  'unsupported_grant_type',
  'unsupported_response_type',
  'unsupported_token_type',
  'invalid_target',
  'access_denied',
])

export const allCodes = Object.keys(statusOf) as Code[]

/** Codes that a call of an operation can be refused with. */
export const callCodes = allCodes.filter((code) => !ofSignIn.has(code))
