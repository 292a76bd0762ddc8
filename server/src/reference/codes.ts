/** The meaning of each error code, and how to fix it. */
import { limits } from '../config.ts'
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
  access_denied: 'A person said no, stopped the connection, or must do this in the app.',
  role_required: 'The person needs the role in `role` in this business: an owner can give it.',
  forbidden_origin: 'Pages of that origin may not call this server.',
  not_found: 'There is no such thing, or this connection does not reach it.',
  method_not_allowed: 'The path takes other methods: those in `Allow`.',
  conflict: 'What is there stands in the way: `field` says which, `fix` how to go on.',
  cursor_expired: 'Events behind the cursor are gone: go on from `oldest_cursor`.',
  gone: 'It was there, and is kept no longer.',
  erased: 'It was about a person who was erased: nothing of it is left to send.',
  too_large: 'The body, or something in it, is larger than may be.',
  unsupported_media_type:
    'Send `Content-Type: application/json`, or a file of a kind that the operation takes.',
  rate_limited: `More than ${limits.requestsPerMinute} requests in a minute with one token, or another limit of this code: wait \`Retry-After\` seconds.`,
  internal: 'A fault of ours; `request_id` finds it in the log.',
  unavailable: 'It cannot be done just now: try again after `Retry-After` seconds.',
}

interface Cause {
  /** What may have led to it. */
  because: readonly [string, ...string[]]
  /** What to do, the likeliest first. */
  mend: readonly [string, ...string[]]
}

/** The causes of each code, and how to mend them, for the page of the code. */
export const causes: Record<Code, Cause> = {
  invalid_request: {
    because: [
      'A required field is missing, or a value has the wrong type, form or length.',
      'The call has a field that the operation does not know, such as `emails` for `email`.',
      'The body is not valid JSON, has the same key twice, or holds an integer beyond 2^53.',
    ],
    mend: [
      'Read `message`: it names the field and what would be right. `field` holds the path, such as `fields[0].key`.',
      'Compare the call with the table “Fields” on the page of the operation.',
      'Where the body has `fix`, call that tool with those arguments.',
    ],
  },
  invalid_grant: {
    because: [
      'The authorization code was used before, or is older than its lifetime.',
      '`code_verifier`, `redirect_uri` or `client_id` differ from those of the authorization request.',
      'The refresh token was used before, has expired, or the person ended the connection.',
    ],
    mend: [
      'Store the new refresh token before you use the new access token.',
      'After two of these in a row, send the person through [authorization](guides/authentication) again.',
    ],
  },
  invalid_client: {
    because: ['The `client_id` was never registered here, or the operator disabled it.'],
    mend: [
      '[Register](guides/authentication#register) the program again, and keep the new `client_id`.',
    ],
  },
  invalid_redirect_uri: {
    because: ['The host of the redirect URI is neither local nor one that this server allows.'],
    mend: [
      'Use `http://localhost:PORT/…` or `http://127.0.0.1:PORT/…` for a program on the person’s own machine.',
      'Ask the operator to allow the address: `crier clients allow URI`.',
    ],
  },
  unauthorized: {
    because: [
      'There is no `Authorization` header, or it is not `Bearer` followed by the token.',
      'The access token has expired: it lasts an hour.',
      'The API key was revoked, has reached its last day, or its maker has left the business.',
      'The key is right, but belongs to another installation.',
    ],
    mend: [
      'Refresh the token once and try again. On a second 401, send the person through [authorization](guides/authentication).',
      'For a key, look at its page in the app: it says whether and why it ended.',
    ],
  },
  scope_required: {
    because: ['The connection or key was made without the scope that the operation needs.'],
    mend: [
      'Send the person through [authorization](guides/authentication) again with the scope in `scope` added.',
      'An API key keeps its scopes: make a new one that has the scope.',
    ],
  },
  tier_required: {
    because: [
      'The operation belongs to a higher tier than the one that the business has.',
      'A limit of the tier is reached, such as its contacts or its messages of the month.',
    ],
    mend: [
      '[meta.usage](operations/meta.usage) shows the tier and what is left. The operator changes the tier.',
    ],
  },
  unsupported_grant_type: {
    because: ['`grant_type` is neither `authorization_code` nor `refresh_token`.'],
    mend: [
      'For a program without a person, use an [API key](guides/send-from-your-code) in place of client credentials.',
    ],
  },
  unsupported_response_type: {
    because: ['`response_type` is not `code`.'],
    mend: ['Use the authorization code flow with PKCE: [authentication](guides/authentication).'],
  },
  unsupported_token_type: {
    because: ['The revocation endpoint was given a token of a kind that is not revoked there.'],
    mend: ['Revoke the refresh token: its access tokens end with it.'],
  },
  invalid_target: {
    because: ['`resource` (RFC 8707) names another server, or another path of this one.'],
    mend: [
      'Leave `resource` out, or use the address of the tool endpoint or of REST as the overview gives it.',
    ],
  },
  access_denied: {
    because: [
      'The person declined on the consent page.',
      'A person stopped the connection in this business: `reason` is `stopped`.',
      'The connection may not take data out of Crier: exports, new webhook hosts, removed domains.',
    ],
    mend: [
      'On the consent page: say what the program needs the access for, and ask again when the person starts it.',
      'Where the body has `fix` with a `url`, a person opens it and decides. Do not repeat the call before that.',
    ],
  },
  role_required: {
    because: [
      'The person behind the token or key has a lower role in this business than the operation needs.',
      'The role was lowered after the connection was made.',
    ],
    mend: ['An owner of the business gives the role in `role`, on the page Members.'],
  },
  forbidden_origin: {
    because: [
      'A page of another site called a path that browsers of other sites may not use, such as REST with a token.',
      'A form on your site posts to this server from an origin that the form does not name.',
    ],
    mend: [
      'Call the API from your server. A token or key in a page is readable by all its visitors.',
      'For forms, use the embed script of the form, or add your site’s origin to the form.',
    ],
  },
  not_found: {
    because: [
      'The id is wrong, or the thing was deleted or merged.',
      'It belongs to a business that the connection does not reach. To such a connection it does not exist.',
      'A test key asks for a live id, or a live key for one of test mode.',
      'There is no such path.',
    ],
    mend: [
      'Find the id with the `list` operation of its kind, with the same token.',
      'Check `business_id`: [business.list](operations/business.list) names the businesses of the connection.',
    ],
  },
  method_not_allowed: {
    because: [
      'The path exists, but not for this method, such as `POST /v1/contacts` in place of `PUT`.',
    ],
    mend: ['Use a method of the header `Allow`. The page of each operation shows its route.'],
  },
  conflict: {
    because: [
      'A thing of that name, address or key exists already.',
      'It changed since you read it (`if_version`), or is in a state in which this cannot be done.',
      'The idempotency key was used for another call within 24 hours.',
    ],
    mend: [
      '`field` says what stands in the way, and `fix` is the call that goes on from there.',
      'After a change by somebody else, read it again and apply your change to what it is now.',
    ],
  },
  cursor_expired: {
    because: ['The cursor of the feed is older than the 30 days for which events are kept.'],
    mend: ['Go on from `oldest_cursor`, and read the current state of what you keep a copy of.'],
  },
  gone: {
    because: [
      'It was deleted after its time, such as the file of an export or the rows of an old import.',
    ],
    mend: ['Make it again: start a new export, or upload the file again.'],
  },
  erased: {
    because: ['The message or answer was about a person who was erased meanwhile.'],
    mend: ['Remove what you keep about the person: nothing of it will come back.'],
  },
  too_large: {
    because: ['The body, a list in it or an attachment is over its limit.'],
    mend: [
      'Send less in one call: `message` has the limit and what was sent.',
      'Import many contacts from a [file](/docs/help/importing) in place of one call each.',
    ],
  },
  unsupported_media_type: {
    because: [
      'The body has another `Content-Type` than JSON, or none.',
      'A file that was uploaded is of another kind than its `Content-Type` says, or than is taken.',
    ],
    mend: ['Send `Content-Type: application/json`, and the body as JSON in UTF-8.'],
  },
  rate_limited: {
    because: [
      `More than ${limits.requestsPerMinute} requests within 60 seconds with one token or key.`,
      'A daily number of recipients, or another limit of the connection, is reached.',
    ],
    mend: [
      'Wait for the seconds in `Retry-After`. The SDK does that by itself.',
      'Keep an eye on `RateLimit-Remaining`, and use lists, batches and imports in place of many small calls.',
    ],
  },
  internal: {
    because: ['A fault in Crier.'],
    mend: [
      'Try reads again, and writes with the same [idempotency key](guides/idempotency).',
      'Give the operator the `request_id`: the log has the fault under it.',
    ],
  },
  unavailable: {
    because: [
      'The database cannot be reached just now, or the process is starting or stopping.',
      'Another call has been changing the same record for ten seconds.',
      'A part of the service that this call needs has too much to do, or does not answer.',
    ],
    mend: ['Wait for the seconds in `Retry-After`, then try again with the same idempotency key.'],
  },
}

/** Codes that only the OAuth endpoints return. Calls too are refused with `access_denied`. */
const ofSignIn = new Set<Code>([
  'invalid_grant',
  'invalid_client',
  'invalid_redirect_uri',
  'unsupported_grant_type',
  'unsupported_response_type',
  'unsupported_token_type',
  'invalid_target',
])

export const allCodes = Object.keys(statusOf) as Code[]

/** Codes that a call of an operation can be refused with. */
export const callCodes = allCodes.filter((code) => !ofSignIn.has(code))
