/** `paths`: every operation at its routes. */

import type { Operation } from '../../core/operation.ts'
import { fieldKind } from '../../operations/field-kind.ts'
import { allRoutes, type Route } from '../../operations/routes.ts'
import { exampleAnswer } from '../examples/answers.ts'
import { exampleInput } from '../examples/inputs.ts'
import { exampleValue, type Schema } from '../examples/values.ts'
import { aboutOf, inputOf, restOutputOf } from '../meanings/find.ts'
import { errorsOf } from './errors.ts'
import { camel, entryName, itemsField, modelName, pascal, picked, ref } from './schema.ts'

/** `components.schemas`, to which each path adds what it takes and answers. */
export type Schemas = Record<string, Schema>

/** @param watched Operations that respond once, or stream to callers that request events. */
export function pathsOf(
  catalog: readonly Operation[],
  watched: readonly Operation[],
  schemas: Schemas,
): Record<string, object> {
  const routes = [
    ...allRoutes(catalog).map((route) => ({ route, item: pathItem(route, schemas) })),
    ...allRoutes(watched).map((route) => ({ route, item: watchedItem(route, schemas) })),
  ]
  return Object.fromEntries(
    [...Map.groupBy(routes, ({ route }) => templateOf(route.path))].map(([path, items]) => [
      path,
      Object.fromEntries(items.map(({ route, item }) => [route.method.toLowerCase(), item])),
    ]),
  )
}

/** `/v1/forms/:form_id` becomes `/v1/forms/{form_id}`. */
export function templateOf(path: string): string {
  return path.replace(/:([a-z0-9_]+)/g, '{$1}')
}

/**
 * The id of a route: `formSave`, `formSaveByFormId` if the path names the form,
 * `messageGetByMessageIdInEmails` for a second path that names it the same way, and
 * `contactListQuery` for the route that takes the same fields in its body.
 */
export function operationId({ operation, inPath, method, path }: Route): string {
  const { name, rest } = operation
  if (typeof rest === 'string') return camel(name)
  if (inPath.length > 0) {
    const id = `${camel(name)}By${inPath.map(pascal).join('And')}`
    const fieldsOfPath = (route: string) => route.slice(route.indexOf(':'))
    const first = rest.find((route) => fieldsOfPath(route) === fieldsOfPath(path))
    const [, , collection = ''] = path.split('/')
    return first === `${method} ${path}` ? id : `${id}In${pascal(collection)}`
  }
  const isFirst = rest[0] === `${method} ${path}`
  return isFirst ? camel(name) : camel(name) + pascal(path.slice(path.lastIndexOf('/') + 1))
}

/** The fields of both kinds of item that this file reads. */
interface PathItem {
  responses: Record<string, object>
  [key: string]: unknown
}

function watchedItem(route: Route, schemas: Schemas): PathItem {
  const item = pathItem(route, schemas)
  const { scope, role, tier } = route.operation
  const answer = item.responses[route.status] as { content: object }
  const events = {
    schema: { type: 'string' },
    example: 'id: 4Vd0cXQ1v5mJ8kQe\nevent: progress\ndata: {"status":"deployed"}\n\n',
  }
  return {
    ...item,
    description: `${aboutOf(route.operation)}\n\nWith \`Accept: text/event-stream\` the answer is a stream: an event \`progress\` with this answer as its data whenever it has changed, and \`end\` at the end. It needs the scope \`${scope}\`, the role ${role} and the tier ${tier}. It is not a tool.`,
    responses: {
      ...item.responses,
      [route.status]: { ...answer, content: { ...answer.content, 'text/event-stream': events } },
    },
  }
}

function pathItem(route: Route, schemas: Schemas): PathItem {
  const { operation, inPath, fields, fieldsIn, status } = route
  const hasBody = fieldsIn === 'body'
  const takesKey = 'idempotency_key' in operation.input.properties
  return {
    operationId: operationId(route),
    summary: operation.title,
    description: `${aboutOf(operation)}\n\nIt needs the scope \`${operation.scope}\`, the role ${operation.role} and the tier ${operation.tier}. The tool is \`${operation.name}\`.`,
    tags: [operation.name.split('.')[0]],
    security: [{ oauth: [operation.scope] }, { bearer: [] }],
    parameters: [
      ...inPath.map((key) => pathParameter(operation, key)),
      ...(hasBody ? [] : fields.map((key) => queryParameter(operation, key))),
      ...(takesKey ? [ref('parameters', 'IdempotencyKey')] : []),
      ...('if_version' in operation.input.properties ? [ref('parameters', 'IfMatch')] : []),
    ],
    ...(hasBody && { requestBody: requestBody(route, schemas) }),
    responses: { [status]: success(route, schemas), ...errorsOf(operation, hasBody) },
  }
}

/** An id in the path of only some routes is optional in the input. In a path it is required. */
function pathParameter(operation: Operation, name: string): object {
  const { description, ...schema } = inputOf(operation).properties?.[name] ?? {}
  return { name, in: 'path', required: true, description, schema, example: exampleOf(schema, name) }
}

function queryParameter(operation: Operation, name: string): object {
  const { properties = {}, required = [] } = inputOf(operation)
  const { description, ...schema } = properties[name] ?? {}
  const kind = fieldKind(schema)
  return {
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    ...(description !== undefined && { description }),
    // A list repeats its parameter for each item.
    ...(kind === 'list' && { style: 'form', explode: true }),
    ...(kind === 'json' ? { content: { 'application/json': { schema } } } : { schema }),
  }
}

function exampleOf(schema: Schema, name: string): unknown {
  return exampleValue(schema, name)
}

function requestBody(route: Route, schemas: Schemas): object {
  const { operation, fields } = route
  const schema = withNamedEntries(operation, picked(inputOf(operation), fields), schemas)
  const name = pascal(`${operationId(route)}Input`)
  const example = Object.fromEntries(
    Object.entries(exampleInput(operation)).filter(([key]) => fields.includes(key)),
  )
  return {
    ...(schema.required && { required: true }),
    content: { 'application/json': { schema: named(schemas, name, schema), example } },
  }
}

/** What a list holds whose entries are checked one by one, under the name that the SDK has too. */
function withNamedEntries(operation: Operation, schema: Schema, schemas: Schemas): Schema {
  const properties: Record<string, Schema> = { ...schema.properties }
  for (const field of Object.keys(operation.entries ?? {})) {
    const list = properties[field]
    if (!list?.items) continue
    properties[field] = {
      ...list,
      items: named(schemas, entryName(operation.name), list.items) as Schema,
    }
  }
  return { ...schema, properties }
}

function success({ operation, status }: Route, schemas: Schemas): object {
  const schema = restOutputOf(operation)
  const names = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
  if (schema.properties?.['version']?.type === 'integer') names.push('ETag')
  const headers = Object.fromEntries(names.map((name) => [name, ref('headers', name)]))
  if (status === 204) return { description: 'The call is done.', headers }
  const example = exampleAnswer(operation, schema)
  const description = {
    200: 'The call is done.',
    201: 'The object is created.',
    202: 'The call is accepted, and its work follows.',
  }[status]
  const shown = answerSchema(operation, schema, schemas)
  return { description, headers, content: { 'application/json': { schema: shown, example } } }
}

/** Puts the schema among the document's, for generators to name a type after. */
function named(schemas: Schemas, name: string, schema: Schema): object {
  const existing = schemas[name]
  if (existing && JSON.stringify(existing) !== JSON.stringify(schema)) {
    throw new Error(`two schemas are named ${name}`)
  }
  schemas[name] = schema
  return ref('schemas', name)
}

/** The answer, and what a list contains, under the names that the SDK has too. */
function answerSchema(operation: Operation, schema: Schema, schemas: Schemas): object {
  const field = itemsField(inputOf(operation), schema)
  const model = field === undefined ? undefined : modelName(operation.name)
  const { [field ?? '']: list, ...others } = schema.properties ?? {}
  const whole =
    field === undefined || model === undefined || !list?.items
      ? schema
      : {
          ...schema,
          properties: { [field]: { ...list, items: named(schemas, model, list.items) }, ...others },
        }
  return named(schemas, `${pascal(operation.name)}Output`, whole)
}
