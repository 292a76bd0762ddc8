/** The tool-call endpoint of the fake server: a few tools, one for each kind of response. */
import { routes } from '../src/generated/routes.ts'
import type { Faults, Reply } from './fake-faults.ts'
import type { FakeOAuth } from './fake-oauth.ts'

interface Rpc {
  id: number
  method: string
  params: { name?: string; arguments?: Record<string, unknown>; cursor?: string }
}

const tool = (name: string, title: string) => ({
  name,
  title,
  description: `${title}.`,
  inputSchema: { type: 'object' },
})

const pages = [
  [tool('svc.v1.business.list', 'List businesses'), tool('svc.v1.form.list', 'List forms')],
  [tool('svc.v1.echo.back', 'Echo')],
]

interface ToolRequest {
  oauth: FakeOAuth
  faults: Faults
  calls: Record<string, unknown>[]
  /** The `Authorization` header. */
  bearer: string
}

export function answerTool({ oauth, faults, calls, bearer }: ToolRequest, rpc: Rpc): Reply {
  const scopes = oauth.scopesOf(/^Bearer (.+)$/.exec(bearer)?.[1] ?? '')
  if (!scopes || faults.refuseBearer) {
    // Contains only the misspelt key, as the contract warns.
    return { status: 401, body: { error: 'unauthorized', messsage: 'The token is not valid.' } }
  }
  if (faults.limited && faults.limited.times-- > 0) {
    const { retryAfter } = faults.limited
    const body = { code: 'rate_limited', message: 'Slow down.' }
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    return { status: 429, body, headers }
  }
  if (rpc.method === 'tools/list') return result(rpc, page(Number(rpc.params.cursor ?? 0)))
  calls.push({ ...rpc.params })
  return called(rpc)
}

function called(rpc: Rpc): Reply {
  switch (rpc.params.name) {
    case 'svc.v1.echo.back':
      return result(rpc, structured(rpc.params.arguments ?? {}))
    case 'list_campaigns':
      return result(rpc, { content: [{ type: 'text', text: '{"campaigns":[]}' }] })
    default: {
      const error = { code: -32602, message: `There is no tool ${rpc.params.name}.` }
      return { status: 200, body: { jsonrpc: '2.0', id: rpc.id, error } }
    }
  }
}

/** A request to REST, as its tool call: the name of its operation, and the arguments. */
function callOf({ method, target, body }: RestRequest) {
  for (const [name, lines] of Object.entries(routes)) {
    for (const line of lines) {
      const [wanted, path = ''] = line.split(' ')
      const names = [...path.matchAll(/:([a-z_]+)/g)].map(([, key = '']) => key)
      const found = new RegExp(`^${path.replace(/:[a-z_]+/g, '([^/]+)')}$`).exec(target.pathname)
      if (wanted !== method || !found) continue
      const inPath = names.map((key, i) => [key, decodeURIComponent(found[i + 1] ?? '')])
      const rest = body === '' ? queryOf(target.searchParams) : JSON.parse(body)
      return { name: `svc.v1.${name}`, arguments: { ...Object.fromEntries(inPath), ...rest } }
    }
  }
  return undefined
}

/** Repeated parameters are lists; numbers and objects are JSON. */
function queryOf(query: URLSearchParams): Record<string, unknown> {
  const read = (text: string): unknown => (/^(\d+$|\{)/.test(text) ? JSON.parse(text) : text)
  const values = [...new Set(query.keys())].map((key) => {
    const [first = '', ...more] = query.getAll(key)
    return [key, more.length > 0 ? [first, ...more].map(read) : read(first)]
  })
  return Object.fromEntries(values)
}

export interface RestRequest {
  method: string
  target: URL
  key: string | undefined
  body: string
}

/** The same operations as REST. */
export function answerRest(
  { oauth, faults, calls, bearer }: ToolRequest,
  request: RestRequest,
): Reply {
  const scopes = oauth.scopesOf(/^Bearer (.+)$/.exec(bearer)?.[1] ?? '')
  if (!scopes || faults.refuseBearer) {
    return { status: 401, body: { error: 'unauthorized', messsage: 'The token is not valid.' } }
  }
  const call = callOf(request)
  if (!call) return { status: 404, body: { code: 'not_found', message: 'There is no such route.' } }
  calls.push({ ...call, ...(request.key !== undefined && { key: request.key }) })
  if (faults.limited && faults.limited.times-- > 0) {
    const { retryAfter, status = 429 } = faults.limited
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    return { status, body: { code: 'rate_limited', message: 'Slow down.' }, headers }
  }
  if (call.name === 'svc.v1.form.submit') return { status: 400, body: refused }
  if (call.name === 'svc.v1.form.list' && !scopes.includes('forms:read')) return scopeRequired
  const body = faults.answers?.[call.name] ?? {
    businesses: [{ business_id: 'bus_1', name: 'Brindlequay', role: 'owner' }],
  }
  return { status: 200, body, headers: { 'x-request-id': `req_${calls.length}` } }
}

const scopeRequired: Reply = {
  status: 403,
  body: {
    code: 'scope_required',
    message: 'Sign in again with forms:read.',
    scope: 'forms:read',
    request_id: 'req_7',
  },
}

const refused = {
  code: 'invalid_request',
  message: 'email is missing.',
  field: 'fields.email',
  fix: { tool: 'svc.v1.form.get', arguments: { form_id: 'frm_1' } },
  choices: ['a', 'b'],
}

function page(number: number): object {
  const next = number + 1 < pages.length ? { nextCursor: String(number + 1) } : {}
  return { tools: pages[number], ...next }
}

function structured(value: object): object {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value }
}

function result({ id }: Rpc, value: object): Reply {
  return { status: 200, body: { jsonrpc: '2.0', id, result: value } }
}
