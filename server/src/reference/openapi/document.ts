/** The OpenAPI 3.1 document of the catalogue. */

import { type Operation, scopes } from '../../core/operation.ts'
import { addressesOf } from '../../oauth/model/addresses.ts'
import { streamedOperations } from '../../operations/streamed.ts'
import { version } from '../../version.ts'
import { allCodes } from '../codes.ts'
import { scopeMeanings } from '../scopes.ts'
import type { Site } from '../site.ts'
import { blockSchemas, withBlockSchema } from './block-schema.ts'
import { errorResponses } from './errors.ts'
import { filterSchemas, withFilterSchema } from './filter-schema.ts'
import { pathsOf, type Schemas } from './paths.ts'
import { eventSchemas, webhooksOf } from './webhooks.ts'

export function openApiDocument(catalog: readonly Operation[], site: Site): object {
  const addresses = addressesOf(site)
  const named: Schemas = {}
  const paths = pathsOf(catalog, streamedOperations, named)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Crier',
      version: version.slice(1),
      summary: 'Audience and messaging for people who run one or many businesses.',
      description: `Every operation as REST. The same operations are tools at \`${addresses.toolEndpoint}\`, with the same rights, limits and refusals. Guides: ${addresses.documentation}.`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { url: addresses.documentation, description: 'Guides and reference' },
    servers: [{ url: site.gatewayUrl }],
    security: [{ oauth: [] }, { bearer: [] }],
    tags: tagsOf(catalog),
    paths: withBlockSchema(withFilterSchema(paths)),
    webhooks: webhooksOf(site.slug),
    components: {
      schemas: {
        Error: errorSchema(),
        ...filterSchemas,
        ...blockSchemas,
        ...eventSchemas(),
        ...withBlockSchema(withFilterSchema(named)),
      },
      parameters: { IdempotencyKey: idempotencyKey, IfMatch: ifMatch },
      headers,
      responses: errorResponses(site.slug),
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          description: `Authorization code with PKCE (S256), public clients only. Clients register themselves at ${addresses.registration}.`,
          flows: {
            authorizationCode: {
              authorizationUrl: addresses.authorization,
              tokenUrl: addresses.token,
              refreshUrl: addresses.token,
              scopes: Object.fromEntries(scopes.map((scope) => [scope, scopeMeanings[scope]])),
            },
          },
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'The access token of such a sign-in, which is valid for an hour, or an API key.',
        },
      },
    },
  }
}

const nouns: Record<string, string> = {
  business: 'The businesses that a connection reaches.',
  meta: 'What the service can do, what was used, and what happened.',
  contact: 'People, by email address or phone number, with their consent.',
  suppression: 'Addresses that get no mail, or no marketing.',
  topic: 'What people can choose to read about, or leave.',
  segment: 'Saved filters, which select contacts by what is known about them.',
  retention: 'How long each kind of data is stored.',
  import: 'Files of contacts or suppressions that come in.',
  export: 'Files of contacts and results that go out.',
  form: 'Forms, their pages and their guard against abuse.',
  submission: 'What people answered to forms.',
  template: 'Contents of messages, with their versions.',
  email: 'Mail to one person at a time.',
  sms: 'Texts to one person at a time.',
  message: 'Sent messages and their outcomes.',
  reply: 'Texts that people sent back.',
  campaign: 'One message to many people: planned, approved, sent and counted.',
  domain: 'Sender domains and their DNS records.',
  webhook: 'Receivers of events, and the log of deliveries.',
}

function tagsOf(catalog: readonly Operation[]): object[] {
  const used = new Set(catalog.map(({ name }) => name.split('.')[0] ?? ''))
  const tags = [...used].map((name) => ({ name, description: nouns[name] ?? `The ${name}s.` }))
  return [...tags, { name: 'events', description: 'The events that webhooks deliver.' }]
}

function errorSchema(): object {
  const code = { type: 'string', enum: allCodes }
  return {
    type: 'object',
    description: 'A refusal. `code` and `error` are the same.',
    properties: {
      code,
      error: code,
      message: { type: 'string', description: 'What is wrong and what would be right.' },
      field: { type: 'string', description: 'The field at fault, such as `fields[0].key`.' },
      fix: {
        type: 'object',
        description: 'How to mend it: the next call with its arguments, or a page to open.',
        properties: {
          tool: { type: 'string' },
          arguments: { type: 'object', additionalProperties: true },
          url: { type: 'string' },
        },
      },
      retry_after: { type: 'integer', description: 'The seconds to wait, as in `Retry-After`.' },
      request_id: { type: 'string', description: 'The id of the request in the log, `req_…`.' },
    },
    required: ['code', 'error', 'message', 'request_id'],
    additionalProperties: true,
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'The same as the field idempotency_key: within 24 hours the call is done once, and repeating it gives the first answer.',
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[ -~]+$' },
  example: 'order-1042',
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description:
    'An ETag that was answered, the same as if_version: a change that somebody else made meanwhile is 409 conflict.',
  schema: { type: 'string' },
  example: '"3"',
}

const header = (description: string, type: 'string' | 'integer', example: string | number) => ({
  description,
  schema: { type },
  example,
})

const headers = {
  'X-Request-Id': header(
    'Names the request in the log.',
    'string',
    'req_01jd0000000000000000000000',
  ),
  ETag: header('The version that is answered; If-Match takes it.', 'string', '"3"'),
  'RateLimit-Limit': header('Requests in any 60 seconds with one token.', 'integer', 600),
  'RateLimit-Remaining': header('Requests that are left.', 'integer', 599),
  'RateLimit-Reset': header('Seconds until the window is empty again.', 'integer', 60),
  'Retry-After': header('Seconds to wait.', 'integer', 12),
  'WWW-Authenticate': header(
    'RFC 6750 and RFC 9728: which scope is missing, and where the resource is described.',
    'string',
    'Bearer error="insufficient_scope", scope="forms:read"',
  ),
}
