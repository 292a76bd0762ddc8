/** The tool-call endpoint of the fake server: a few tools, one for each kind of response. */
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
  return called(rpc, scopes, faults.answers ?? {})
}

function called(rpc: Rpc, scopes: string[], answers: Record<string, object>): Reply {
  const prepared = answers[rpc.params.name ?? '']
  if (prepared) return result(rpc, structured(prepared))
  switch (rpc.params.name) {
    case 'svc.v1.business.list': {
      const blue = { business_id: 'bus_1', name: 'Blue Bottle', role: 'owner' }
      return result(rpc, structured({ businesses: [blue] }))
    }
    case 'svc.v1.echo.back':
      return result(rpc, structured(rpc.params.arguments ?? {}))
    case 'list_campaigns':
      return result(rpc, { content: [{ type: 'text', text: '{"campaigns":[]}' }] })
    case 'svc.v1.form.list':
      return scopes.includes('forms:read') ? result(rpc, structured({ forms: [] })) : scopeRequired
    case 'svc.v1.form.submit':
      return result(rpc, { isError: true, ...structured(refused) })
    default: {
      const error = { code: -32602, message: `There is no tool ${rpc.params.name}.` }
      return { status: 200, body: { jsonrpc: '2.0', id: rpc.id, error } }
    }
  }
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
