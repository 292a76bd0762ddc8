/**
 * The REST gateway, `{gateway_url}/v1/*`: a route for every operation, read from its definition
 * (contract 7.1). Calls and refusals are the same as at the tool-call endpoint, with
 * HTTP's own verbs and statuses.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../config.ts'
import { isRefusal, refuse } from '../../core/errors.ts'
import { isObject } from '../../lib/text/i-json.ts'
import { callOperation } from '../../operations/call.ts'
import { flatAnswer } from '../../operations/flat.ts'
import { allRoutes, type Method, type Route } from '../../operations/routes.ts'
import { takeJsonText } from '../body.ts'
import { callNames, withCallNames } from '../call-names.ts'
import { registerStream } from '../live/stream.ts'
import { guardEntry } from '../operation-entry.ts'
import { registerProgress } from './progress.ts'
import { etagOf, readInput } from './read-input.ts'
import type { RestDeps } from './rest-deps.ts'
import { fileIn, takeFiles } from './uploads.ts'

const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function registerRest(app: FastifyInstance, deps: RestDeps): void {
  const routes = allRoutes(deps.catalog)
  app.register(async (scope) => {
    const entry = guardEntry(scope, deps, {
      methods: `${everyMethod.join(', ')}, OPTIONS`,
      headers: ['idempotency-key', 'if-match', 'last-event-id'],
    })
    const { callerOf, refuseWith } = entry
    registerProgress(scope, deps, entry)
    registerStream(scope, deps, entry)
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('cache-control', 'no-store')
      done()
    })
    takeJsonText(scope)
    takeFiles(scope, new Set(deps.catalog.flatMap(({ file = [] }) => file)))

    const dotted = callNames(deps.slug, 'dotted')
    const answer = async (route: Route, request: FastifyRequest, reply: FastifyReply) => {
      const file = fileIn(request)
      const input = readInput(file ? { ...route, fieldsIn: 'query' } : route, {
        path: request.params as Record<string, string>,
        query: request.url.split('?', 2)[1] ?? '',
        body: file ? undefined : (request.body as string | undefined),
        key: headerOf(request, 'idempotency-key'),
        ifMatch: headerOf(request, 'if-match'),
      })
      if (isRefusal(input)) return refuseWith(reply, request, input)
      const { principal } = callerOf(request)
      const { operation } = route
      const call = { operation, input, principal, requestId: request.id, file }
      const output = await callOperation(deps.calling, call)
      if (isRefusal(output)) return refuseWith(reply, request, output)
      reply.code(route.status)
      const version = isObject(output) ? output['version'] : undefined
      if (typeof version === 'number') reply.header('etag', etagOf(version))
      return route.status === 204
        ? reply.send()
        : reply.send(withCallNames(flatAnswer(operation, output), dotted))
    }

    for (const route of routes) {
      const { method, path: url, operation } = route
      const bodyLimit = operation.bodyBytes ?? limits.callBytes
      const handler = (request: FastifyRequest, reply: FastifyReply) =>
        answer(route, request, reply)
      const config = operation.file && method === 'POST' ? { file: operation.file } : {}
      scope.route({ method, url, bodyLimit, config, handler })
    }
    for (const [url, known] of Map.groupBy(routes, ({ path }) => path)) {
      const allowed = allowedAt(known)
      const refuseMethod = async (request: FastifyRequest, reply: FastifyReply) => {
        const why = `${request.method} is not allowed for this path: use ${allowed}.`
        reply.header('allow', allowed)
        return refuseWith(reply, request, refuse('method_not_allowed', why))
      }
      const method = everyMethod.filter((word) => !known.some((route) => route.method === word))
      // Fastify adds a HEAD route to each GET route.
      const others = [...method, 'OPTIONS', 'TRACE', ...(method.includes('GET') ? ['HEAD'] : [])]
      scope.route({ method: others, url, onRequest: refuseMethod, handler: refuseMethod })
    }
    const refusePath = async (request: FastifyRequest, reply: FastifyReply) => {
      const why = `There is no such route. ${deps.documentation} lists all routes.`
      return refuseWith(reply, request, refuse('not_found', why))
    }
    for (const url of ['/v1', '/v1/*']) {
      scope.all(url, { onRequest: refusePath }, refusePath)
    }
  })
}

function allowedAt(routes: readonly Route[]): string {
  const methods = everyMethod.filter((word) => routes.some(({ method }) => method === word))
  return methods.flatMap((word: Method) => (word === 'GET' ? [word, 'HEAD'] : [word])).join(', ')
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
