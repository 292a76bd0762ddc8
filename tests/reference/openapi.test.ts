/** Checks the OpenAPI document with a third party's linter and validator. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import path from 'node:path'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { readFilter } from 'crier-server/contacts/filters/read.ts'
import { eventTypeNames } from 'crier-server/events/catalog.ts'
import { allRoutes } from 'crier-server/operations/routes.ts'
import { streamedOperations } from 'crier-server/operations/streamed.ts'
import { openApiDocument } from 'crier-server/reference/openapi/document.ts'
import { catalog } from '../operations/support/testbed.ts'
import { someFilter } from '../support/audience/some-filters.ts'
import { npmTools } from '../support/processes/npm-tools.ts'
import { fc } from '../support/properties.ts'

// A linter objects to localhost, which the committed document contains.
const hosts = { baseUrl: 'https://api.crier.test', appUrl: 'https://app.crier.test' }
const site = { slug: 'svc', ...hosts, gatewayUrl: 'https://rest.crier.test' }
const document = openApiDocument(catalog, site) as Document

interface Media {
  content?: { 'application/json': { schema: { $ref?: string }; example: unknown } }
}
interface Operation {
  operationId: string
  requestBody?: Media
  responses: Record<string, Media>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation & { parameters: { name: string }[] } }>
  components: { schemas: Record<string, object> }
}

test('a public linter with its strictest rules finds no fault in the OpenAPI document', async () => {
  for (const rules of ['recommended-strict', 'spec'] as const) {
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: 'openapi.json',
      config: await createConfig({ extends: [rules] }),
    })
    // An id of a contact begins with con_, so no path of one is that of an address or another id.
    const isClear = ({ ruleId, message }: { ruleId: string; message: string }) =>
      ruleId === 'no-ambiguous-paths' && message.includes('/v1/contacts/by-')
    const told = problems
      .filter((problem) => !isClear(problem))
      .map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
    assert.deepEqual(told, [])
  }
})

/** Rules of taste, and one of an older OpenAPI: since 3.1 `identifier` stands in place of a licence's address. */
const tastes = { 'info-contact': 'off', 'license-url': 'off', 'openapi-tags-alphabetical': 'off' }

test('Spectral finds no fault in the OpenAPI document by any other of its rules', async () => {
  const folder = await npmTools('openapi-linter', [
    '@stoplight/spectral-core@1.24.1',
    '@stoplight/spectral-rulesets@1.23.1',
  ])
  const require = createRequire(import.meta.url)
  const packageOf = (name: string) => require(path.join(folder, 'node_modules/@stoplight', name))
  const { Spectral } = packageOf('spectral-core')
  const { oas } = packageOf('spectral-rulesets')
  const faultsOf = async (source: object) => {
    const linter = new Spectral()
    linter.setRuleset({ extends: [[oas, 'all']], rules: tastes })
    const faults: { code: string; message: string; path: string[] }[] = await linter.run(source)
    return faults.map(({ code, message, path }) => `${code}: ${message} ${path.join('.')}`)
  }
  assert.deepEqual(await faultsOf(document), [])
  const { info, paths } = document as unknown as { info: object; paths: Document['paths'] }
  const fragment = { openapi: '3.1.0', info, paths: { '/v1/forms': paths['/v1/forms'] } }
  assert.ok((await faultsOf(fragment)).some((fault) => fault.startsWith('invalid-ref')))
})

test('every route of the catalogue is in the OpenAPI document, under a unique name', () => {
  const there = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const routes = allRoutes([...catalog, ...streamedOperations]).map(
    ({ method, path }) => `${method} ${path.replace(/:([a-z_]+)/g, '{$1}')}`,
  )
  assert.deepEqual(there.toSorted(), routes.toSorted())
  const names = operations().map(({ operationId }) => operationId)
  assert.equal(new Set(names).size, names.length)
})

test('what operations take, answer and list has names that generators make types of', () => {
  const { schemas } = document.components
  for (const name of ['Contact', 'Message', 'Webhook', 'Campaign', 'Template', 'Submission']) {
    assert.ok(schemas[name], name)
  }
  const listed = schemas['ContactListOutput'] as { properties: { contacts: { items: object } } }
  assert.deepEqual(listed.properties.contacts.items, { $ref: '#/components/schemas/Contact' })
  const answer = document.paths['/v1/contacts/{contact_id}']?.['get']?.responses['200']
  const schema = answer?.content?.['application/json'].schema
  assert.deepEqual(schema, { $ref: '#/components/schemas/ContactGetOutput' })
})

test('every event type is a webhook in OpenAPI, with the four delivery headers', () => {
  assert.deepEqual(Object.keys(document.webhooks), eventTypeNames)
  const names = ['x-svc-event', 'x-svc-delivery', 'x-svc-timestamp', 'x-svc-signature']
  for (const { post } of Object.values(document.webhooks)) {
    assert.deepEqual(
      post.parameters.map(({ name }) => name),
      names,
    )
  }
})

test('every example in OpenAPI fits its schema', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const media = operations().flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((entry) => entry?.content ?? []),
  )
  assert.ok(media.length > 30)
  for (const { 'application/json': shown } of media) {
    const fits = ajv.compile(inDocument(shown.schema))
    assert.ok(
      fits(shown.example),
      `${ajv.errorsText(fits.errors)} ${JSON.stringify(shown.example)}`,
    )
  }
})

test('the schema of a filter takes what the server takes, and refuses what it has no key for', () => {
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema(document, 'openapi')
  const fits = ajv.compile(inDocument({ $ref: '#/components/schemas/Filter' }))
  for (const filter of fc.sample(someFilter, { numRuns: 300, seed: 4 })) {
    readFilter(filter)
    assert.ok(fits(filter), `${JSON.stringify(filter)} ${ajv.errorsText(fits.errors)}`)
  }
  for (const wrong of [
    { all: [{ tag: 'a' }] },
    { and: [] },
    { did_not: 'order', at_least: 1 },
    {},
  ]) {
    assert.throws(() => readFilter(wrong), { code: 'invalid_request' }, JSON.stringify(wrong))
    assert.ok(!fits(wrong), JSON.stringify(wrong))
  }
  const loose = new Set<string>()
  let references = 0
  JSON.stringify(document, (key, value: Record<string, unknown> | null) => {
    if (value?.['$ref'] === '#/components/schemas/Filter') references++
    const isOpen = value?.['type'] === 'object' && value['properties'] === undefined
    if (isOpen && ['filter', 'show_if', 'exit', 'goal'].includes(key)) loose.add(key)
    return value
  })
  assert.deepEqual([...loose], [])
  assert.ok(references >= 60, `${references} fields refer to it`)
})

/** The schema with its references into the document. */
function inDocument(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object
}

function operations(): Operation[] {
  const webhooks = Object.values(document.webhooks).map(({ post }) => post)
  return [
    ...Object.values(document.paths).flatMap((methods) => Object.values(methods)),
    ...webhooks,
  ]
}
