/** `paths`: every operation at its routes. */

import type { Operation } from '../../core/operation.ts'
import { fieldKind } from '../../operations/field-kind.ts'
import { allRoutes, type Route } from '../../operations/routes.ts'
import { exampleInput } from '../examples/inputs.ts'
import { exampleValue, type Schema } from '../examples/values.ts'
import { aboutOf, inputOf, restOutputOf } from '../meanings/find.ts'
import { errorsOf } from './errors.ts'
import { camel, pascal, picked, ref } from './schema.ts'

/** @param watched Operations that respond once, or stream to callers that request events. */
export function pathsOf(
  catalog: readonly Operation[],
  watched: readonly Operation[],
): Record<string, object> {
  const routes = [
    ...allRoutes(catalog).map((route) => ({ route, item: pathItem(route) })),
    ...allRoutes(watched).map((route) => ({ route, item: watchedItem(route) })),
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
 * The id of a route: `formSave`, `formSaveByFormId` if the path names the form, and
 * `contactListQuery` for the route that takes the same fields in its body.
 */
export function operationId({ operation, inPath, method, path }: Route): string {
  const { name, rest } = operation
  if (typeof rest === 'string') return camel(name)
  if (inPath.length > 0) return `${camel(name)}By${inPath.map(pascal).join('And')}`
  const isFirst = rest[0] === `${method} ${path}`
  return isFirst ? camel(name) : camel(name) + pascal(path.slice(path.lastIndexOf('/') + 1))
}

/** The fields of both kinds of item that this file reads. */
interface PathItem {
  responses: Record<string, object>
  [key: string]: unknown
}

function watchedItem(route: Route): PathItem {
  const item = pathItem(route)
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

function pathItem(route: Route): PathItem {
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
    ],
    ...(hasBody && { requestBody: requestBody(route) }),
    responses: { [status]: success(route), ...errorsOf(operation, hasBody) },
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

function requestBody({ operation, fields }: Route): object {
  const schema = picked(inputOf(operation), fields)
  const example = Object.fromEntries(
    Object.entries(exampleInput(operation)).filter(([key]) => fields.includes(key)),
  )
  return {
    ...(schema.required && { required: true }),
    content: { 'application/json': { schema, example } },
  }
}

function success({ operation, status }: Route): object {
  const headers = Object.fromEntries(
    ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [
      name,
      ref('headers', name),
    ]),
  )
  if (status === 204) return { description: 'The call is done.', headers }
  const schema = restOutputOf(operation)
  const example = exampleValue(schema, operation.name.split('.')[0])
  const description = {
    200: 'The call is done.',
    201: 'The object is created.',
    202: 'The call is accepted, and its work follows.',
  }[status]
  return { description, headers, content: { 'application/json': { schema, example } } }
}
