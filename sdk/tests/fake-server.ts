/**
 * A small authorization server and tool-call endpoint that behaves according to the contract, and
 * misbehaves on demand. It is written independently of the real one, so that the two can disagree.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Faults, Reply } from './fake-faults.ts'
import { FakeOAuth } from './fake-oauth.ts'
import { answerRest, answerTool } from './fake-tools.ts'

export interface FakeServer {
  url: string
  oauth: FakeOAuth
  faults: Faults
  /** Every request: method and path, in order. */
  log: string[]
  /** Calls of tools and of REST, in order; the latter with the key of their header. */
  calls: Record<string, unknown>[]
  count(line: string): number
  close(): Promise<void>
}

export async function fakeServer(): Promise<FakeServer> {
  const server = createServer((request, response) => {
    void handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const log: string[] = []
  const fake: FakeServer = {
    url,
    oauth: new FakeOAuth(url),
    faults: {},
    log,
    calls: [],
    count: (line) => log.filter((entry) => entry === line).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = new URL(request.url ?? '/', url)
    log.push(`${request.method} ${target.pathname}`)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const reply = await answer(fake, request, target, Buffer.concat(chunks).toString())
    if (!reply) return void response.destroy()
    const { status, body, headers } = reply
    const json = typeof body === 'object'
    response
      .writeHead(status, { 'content-type': json ? 'application/json' : 'text/html', ...headers })
      .end(json ? JSON.stringify(body) : body)
  }
  return fake
}

const missing: Reply = { status: 404, body: '<h1>Not found</h1>' }

/** Returns undefined to hang up. */
async function answer(
  fake: FakeServer,
  request: IncomingMessage,
  target: URL,
  body: string,
): Promise<Reply | undefined> {
  if (target.pathname.startsWith('/.well-known/')) return discover(fake, target)
  if (target.pathname.startsWith('/v1/')) {
    const bearer = request.headers.authorization ?? ''
    const key = request.headers['idempotency-key'] as string | undefined
    const { method = '' } = request
    const reply = answerRest({ ...fake, bearer }, { method, target, key, body })
    const { cut = 0 } = fake.faults
    if (cut === 0) return reply
    fake.faults.cut = cut - 1
    return undefined
  }
  const prefix = fake.faults.prefix ?? ''
  if (!target.pathname.startsWith(prefix)) return missing
  switch (`${request.method} ${target.pathname.slice(prefix.length)}`) {
    case 'GET /functions/v1/mcp-oauth':
      return authorize(fake, target)
    case 'POST /functions/v1/mcp-oauth/register':
      return fake.oauth.register(JSON.parse(body))
    case 'POST /functions/v1/mcp-oauth':
      return token(fake, new URLSearchParams(body))
    case 'POST /functions/v1/mcp-oauth/revoke':
      fake.oauth.revoke(new URLSearchParams(body))
      return { status: 200, body: {} }
    case 'POST /api/functions/svc-mcp': {
      const tool = { ...fake, bearer: request.headers.authorization ?? '' }
      return answerTool(tool, JSON.parse(body))
    }
    default:
      return missing
  }
}

function discover({ url, faults }: FakeServer, target: URL): Reply {
  if (faults.discovery) return { status: faults.discovery, body: '<h1>Away</h1>' }
  const at = url + (faults.prefix ?? '')
  if (target.pathname === '/.well-known/oauth-protected-resource') {
    return { status: 200, body: { resource: `${at}/api/functions/svc-mcp` } }
  }
  const body = {
    issuer: url,
    authorization_endpoint: `${at}/functions/v1/mcp-oauth`,
    token_endpoint: `${at}/functions/v1/mcp-oauth`,
    registration_endpoint: `${at}/functions/v1/mcp-oauth/register`,
    revocation_endpoint: `${at}/functions/v1/mcp-oauth/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    scopes_supported: ['meta:read', 'forms:read'],
    authorization_response_iss_parameter_supported: true,
  }
  return { status: 200, body }
}

/** The person follows the link in the mail at once. */
function authorize({ oauth, faults, url }: FakeServer, target: URL): Reply {
  const query = target.searchParams
  const back = new URL(query.get('redirect_uri') ?? '')
  if (faults.deny) back.searchParams.set('error', 'access_denied')
  else back.searchParams.set('code', oauth.grant(query))
  const state = faults.state === undefined ? query.get('state') : faults.state
  const issuer = faults.issuer === undefined ? url : faults.issuer
  if (state !== null) back.searchParams.set('state', state)
  if (issuer !== null) back.searchParams.set('iss', issuer)
  return { status: 302, body: '', headers: { location: back.href } }
}

async function token(
  { faults, oauth }: FakeServer,
  form: URLSearchParams,
): Promise<Reply | undefined> {
  await faults.hold
  if (faults.dropToken) return undefined
  if (faults.tokenMissing && faults.tokenMissing.times-- > 0) {
    return { status: 404, body: faults.tokenMissing.body }
  }
  const sent = form.get('refresh_token')
  if (faults.refuseRefresh && sent) {
    const message = faults.echoToken ? `The token ${sent} is over.` : 'That token is over.'
    return { status: 400, body: { error: 'invalid_grant', message } }
  }
  const reply = oauth.token(form)
  if (!faults.keepRefreshToken || !sent) return reply
  oauth.restore(sent)
  return { ...reply, body: { ...(reply.body as object), refresh_token: undefined } }
}
