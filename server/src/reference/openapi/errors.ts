/** The refusals of the closed table as responses of the document. */
import { type Code, statusOf } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { callCodes, meanings } from '../codes.ts'
import { inventedId } from '../examples/ids.ts'
import { ref } from './schema.ts'

const names: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  429: 'RateLimited',
  500: 'Internal',
  503: 'Unavailable',
}

const messages: Partial<Record<Code, { message: string; more?: Record<string, unknown> }>> = {
  invalid_request: { message: 'limit must be at most 200.', more: { field: 'limit' } },
  unauthorized: { message: 'The access token is malformed, expired or unknown.' },
  scope_required: {
    message: 'form.list needs the scope forms:read, which this connection was not given.',
    more: { scope: 'forms:read' },
  },
  not_found: {
    message: `This business has no form ${inventedId('frm')}.`,
    more: { field: 'form_id' },
  },
  conflict: {
    message: 'The idempotency_key "order-1042" was used with other arguments.',
    more: { field: 'idempotency_key' },
  },
  rate_limited: {
    message: 'More than 600 requests in a minute with one token. Wait 12 s.',
    more: { retry_after: 12 },
  },
}

/** The tool that fixes the error. */
const mending: Partial<Record<Code, string>> = {
  scope_required: 'meta.capabilities',
  not_found: 'form.list',
}

/** The code to show for a status. */
function mainCode(status: number): Code | undefined {
  const codes = callCodes.filter((code) => statusOf[code] === status)
  return codes.find((code) => code in messages) ?? codes[0]
}

/** The body of a refusal, as a caller receives it. */
export function exampleError(status: number, slug: string): Record<string, unknown> {
  const code = mainCode(status) ?? 'internal'
  const { message = meanings[code].replaceAll('`', ''), more } = messages[code] ?? {}
  const fix = mending[code]
  return {
    code,
    error: code,
    message,
    ...more,
    ...(fix !== undefined && { fix: { tool: `${slug}.v1.${fix}`, arguments: {} } }),
    request_id: inventedId('req'),
  }
}

const headersOf: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** `components.responses`: one response for each status. */
export function errorResponses(slug: string): Record<string, object> {
  return Object.fromEntries(
    Object.entries(names).map(([text, name]) => {
      const status = Number(text)
      const codes = callCodes.filter((code) => statusOf[code] === status)
      const header = (key: string) => [key, ref('headers', key)]
      return [
        name,
        {
          description: codes.map((code) => `\`${code}\`: ${meanings[code]}`).join('\n\n'),
          headers: Object.fromEntries(['X-Request-Id', ...(headersOf[status] ?? [])].map(header)),
          content: {
            'application/json': {
              schema: ref('schemas', 'Error'),
              example: exampleError(status, slug),
            },
          },
        },
      ]
    }),
  )
}

/** Statuses that only some operations refuse with. */
const seldom: Readonly<Record<number, readonly string[]>> = {
  // Reads that depend on a state, or on events that are still kept. Every write has it.
  409: ['campaign.preview', 'meta.changes'],
  410: ['import.undo', 'webhook.replay', 'webhook.retry'],
}

/** The statuses that an operation can be refused with. */
export function refusalStatuses({ name, hints, input }: Operation, hasBody: boolean): number[] {
  const maySeldom = (status: number) => seldom[status]?.includes(name) ?? false
  return [
    400,
    401,
    403,
    ...('business_id' in input.properties ? [404] : []),
    ...(!hints.readOnly || maySeldom(409) ? [409] : []),
    ...(maySeldom(410) ? [410] : []),
    ...(hasBody ? [413, 415] : []),
    429,
    500,
    503,
  ]
}

/** The same, each as a reference. */
export function errorsOf(operation: Operation, hasBody: boolean): Record<string, object> {
  return Object.fromEntries(
    refusalStatuses(operation, hasBody).map((status) => [
      String(status),
      ref('responses', names[status] ?? 'Internal'),
    ]),
  )
}
