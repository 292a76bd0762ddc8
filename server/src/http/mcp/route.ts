/**
 * The tool-call endpoint: `{app_url}/api/functions/{slug}-mcp`, and `/mcp` as an alias with its own
 * resource metadata. Stateless: it accepts only POST and responds at once.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownAddressesOf } from '../../accounts/businesses/sender-profile.ts'
import { limits } from '../../config.ts'
import { findAddressField } from '../../contacts/filters/stored-addresses.ts'
import { isRefusal, orRefusal, refuse } from '../../core/errors.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Log } from '../../lib/process/log.ts'
import { isObject } from '../../lib/text/i-json.ts'
import { doesOpenUrls, keepOpensUrls } from '../../oauth/connections/connections.ts'
import { type Call, type CallDeps, callOperation, type Spelling } from '../../operations/call.ts'
import { boundBodies, takeJsonText } from '../body.ts'
import { refusalBody } from '../error-body.ts'
import { type Caller, type EntryDeps, guardEntry } from '../operation-entry.ts'
import { type KeptAnswers, keptAnswers } from './elicitation.ts'
import {
  answerRequest,
  type ClientParts,
  callNameOf,
  type MethodContext,
  type Refused,
} from './methods.ts'
import {
  type Answer,
  assumedVersion,
  type Envelope,
  legacyVersions,
  type RequestId,
  type RpcRequest,
  readEnvelope,
  rpcCodes,
  rpcError,
} from './protocol.ts'
import { readChoice, type Tools } from './tools.ts'

export interface McpDeps extends EntryDeps {
  tools: Tools
  /** Counts `n` further requests of an admitted caller, those of a batch. */
  countMore(caller: Caller, n: number): void
  spellingFor(caller: Caller, isBareCall: boolean): Promise<Spelling>
  vault: Pick<Vault, 'seal' | 'open'>
  log: Log
}

export function registerMcp(app: FastifyInstance, deps: McpDeps): void {
  const answers = keptAnswers(deps.vault)
  const streams = new Set<AbortController>()
  const paths = [`/api/functions/${deps.slug}-mcp`, '/mcp']
  app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (!isBrowsing(request)) return undefined
      const { sendConnectPage } = await import('../pages/public/connect-page.ts')
      return sendConnectPage(request, reply, deps.calling)
    })
    const { callerOf, refuseWith } = guardEntry(scope, deps, {
      methods: 'POST, OPTIONS',
      headers: ['mcp-protocol-version', 'mcp-method', 'mcp-name'],
    })
    scope.addHook('onRequest', (request, reply, done) => {
      if (request.method === 'POST') return done()
      reply.header('allow', 'POST')
      const why = 'This endpoint accepts only POST: it keeps no sessions and opens no streams.'
      done(refuse('method_not_allowed', why))
    })
    // Otherwise a stop would wait for the streams.
    scope.addHook('preClose', async () => {
      for (const stream of streams) stream.abort()
    })
    takeJsonText(scope)
    boundBodies(scope, limits.toolCallBytes)

    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = callerOf(request)
      const who = { principal: caller.principal, requestId: request.id, isToolCall: true } as const
      const choice = readChoice(request.query as Record<string, unknown>)
      if (typeof choice === 'string') {
        return write(request, reply, rpcError(400, undefined, rpcCodes.invalidParams, `${choice}.`))
      }
      const envelope = readEnvelope(request.body as string, request.headers)
      const context: MethodContext = {
        tools: deps.tools,
        slug: deps.slug,
        requestId: request.id,
        principal: caller.principal,
        choice: hasOutputSchemas(request) ? choice : { ...choice, outputSchemas: false },
        spelling: () => deps.spellingFor(caller, isBare(envelope, request)),
        async call(operation, input) {
          const call = { ...who, operation, input }
          if (!who.principal.seesMasked) return callOperation(deps.calling, call)
          return maskedCall(deps.calling, call)
        },
      }
      if (envelope.kind === 'answer') return write(request, reply, envelope.answer)
      if (envelope.kind === 'batch') {
        deps.countMore(caller, envelope.entries.length - 1)
        return write(request, reply, await answerBatch(context, envelope.entries))
      }
      const stream = eventStream(request, reply)
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      streams.add(gone)
      try {
        const client = clientOf(deps, { request, caller, answers, signal: gone.signal })
        const { notify } = stream
        const whole = { ...context, client: { ...client, ...(notify && { notify }) } }
        const answer = await answerRequest(whole, envelope.era, envelope.request)
        if ('refusal' in answer) {
          return refuseWith(reply, request, answer.refusal, await callNameOf(context))
        }
        return stream.end(answer)
      } catch (error) {
        return stream.fail(error, { id: envelope.request.id, log: deps.log })
      } finally {
        streams.delete(gone)
      }
    }
    // Clients append a slash, and follow no redirect with their token.
    for (const url of paths.flatMap((path) => [path, `${path}/`])) {
      scope.route({ method: ['POST', 'GET', 'DELETE', 'OPTIONS'], url, handler: handle })
    }
  })
}

/** Output schemas came with the revision 2025-06-18. */
const hasOutputSchemas = ({ headers }: FastifyRequest): boolean =>
  String(headers['mcp-protocol-version'] ?? assumedVersion) >= '2025-06-18'

/** Whether a person looks at the address, rather than a client of the endpoint. */
const isBrowsing = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  headers.authorization === undefined &&
  headers['mcp-protocol-version'] === undefined &&
  (headers.accept ?? '').includes('text/html')

/**
 * A call of a connection that sees people masked. Whom it names itself is not masked, nor are the
 * addresses from which its businesses send.
 */
async function maskedCall(deps: CallDeps, call: Call): Promise<unknown> {
  const text = await import('../../core/masked-text.ts')
  const { addressesIn, checkMaskedInput, masked, namedIn, partFieldsOf, partOfField } = text
  const businessIds = call.principal.businesses.map(({ id }) => id)
  const outcome = await orRefusal(async () => {
    const parts = partFieldsOf(checkMaskedInput(call.input))
    if (parts.length === 0) return callOperation(deps, call)
    return callOperation(deps, {
      ...call,
      async checkStored(db, businessId) {
        const condition = await findAddressField(db, businessId, parts)
        if (condition) throw partOfField(condition)
      },
    })
  })
  const own = addressesIn(await ownAddressesOf(deps.db, businessIds))
  const exceptions = new Set([...own, ...namedIn(call.input)])
  if (isRefusal(outcome)) {
    const { code, message, details } = outcome
    return refuse(code, masked(message, exceptions), masked(details, exceptions))
  }
  if (!isObject(outcome)) return outcome
  const { next_cursor } = outcome
  return { ...masked(outcome, exceptions), ...(next_cursor !== undefined && { next_cursor }) }
}

/** Whether a call names no version of MCP, as in the contract. */
function isBare(envelope: Envelope, { headers }: FastifyRequest): boolean {
  if (headers['mcp-protocol-version'] !== undefined) return false
  if (envelope.kind !== 'one' || envelope.request.method !== 'initialize') return true
  // A client of the first revision sends no version in what follows.
  return envelope.request.params['protocolVersion'] === assumedVersion
}

/** Calls of a batch run one after another. A refused call does not affect the others. */
async function answerBatch(
  context: MethodContext,
  entries: (RpcRequest | Answer)[],
): Promise<Answer> {
  const bodies: string[] = []
  for (const entry of entries) {
    const answer = 'method' in entry ? await answerRequest(context, 'legacy', entry, true) : entry
    bodies.push(
      'refusal' in answer ? await refusedEntry(context, entry, answer) : (answer.json ?? 'null'),
    )
  }
  return { status: 200, json: `[${bodies.join(',')}]` }
}

async function refusedEntry(
  context: MethodContext,
  entry: RpcRequest | Answer,
  answer: Refused,
): Promise<string> {
  const data = refusalBody(answer.refusal, context.requestId, await callNameOf(context))
  const id = 'method' in entry ? { id: entry.id } : {}
  const error = { code: rpcCodes.refused, message: data.message, data }
  return JSON.stringify({ jsonrpc: '2.0', ...id, error })
}

interface ClientRequest {
  request: FastifyRequest
  caller: Caller
  answers: KeptAnswers
  signal: AbortSignal
}

/** What the client of a request can do, by its headers and by what it said when it began. */
function clientOf(
  { calling: { db, clock } }: McpDeps,
  { request, caller, answers, signal }: ClientRequest,
): ClientParts {
  const { connectionId } = caller.principal
  const isNewest = request.headers['mcp-protocol-version'] === legacyVersions[0]
  return {
    connectionId,
    now: () => clock.now(),
    answers,
    signal,
    async opensUrls() {
      if (connectionId === null || !isNewest || !takesEvents(request)) return false
      return doesOpenUrls(db, connectionId)
    },
    async keepOpensUrls(opens) {
      if (connectionId !== null) await keepOpensUrls(db, { id: connectionId, opensUrls: opens })
    },
  }
}

interface EventStream {
  /** Absent where the client accepts no event stream. */
  notify?: (message: string) => void
  end(answer: Answer): FastifyReply
  /** Ends a stream whose call threw, for which nobody would be answered; throws on where none is open. */
  fail(error: unknown, call: { id: RequestId; log: Log }): FastifyReply
}

/**
 * Always JSON, except where messages go ahead of the answer, or where the client accepts nothing but
 * events (never a 406).
 */
export function eventStream(request: FastifyRequest, reply: FastifyReply): EventStream {
  let isOpen = false
  const notify = (message: string) => {
    if (!isOpen) {
      isOpen = true
      reply.headers(eventHeaders).hijack()
      reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>)
    }
    reply.raw.write(eventOf(message))
  }
  const end = (answer: Answer): FastifyReply => {
    if (!isOpen) return write(request, reply, answer)
    for (const message of [...(answer.ahead ?? []), answer.json ?? '']) notify(message)
    reply.raw.end()
    return reply
  }
  return {
    ...(takesEvents(request) && { notify }),
    end,
    fail(error, { id, log }) {
      if (!isOpen) throw error
      log.error({ err: error, request_id: request.id }, 'http.error')
      return end(failed(id, request.id))
    },
  }
}

const eventHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
}

const eventOf = (json: string) => `event: message\ndata: ${json}\n\n`

export function write(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status)
  const { json, ahead = [] } = answer
  if (json === undefined) return reply.send()
  const hasEvents = ahead.length > 0 && takesEvents(request)
  if (answer.status === 200 && (hasEvents || onlyTakesEvents(request.headers.accept))) {
    return reply.headers(eventHeaders).send([...ahead, json].map(eventOf).join(''))
  }
  return reply.header('content-type', 'application/json').send(json)
}

export const takesEvents = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/event-stream') ?? false

function onlyTakesEvents(accept: string | undefined): boolean {
  if (!accept?.includes('text/event-stream')) return false
  return !/application\/(json|\*)|\*\/\*/i.test(accept)
}

/** The answer to a call that failed after its stream was opened, whose status has been sent. */
function failed(id: RequestId, requestId: string): Answer {
  const text = `Something failed here, and the log has it under ${requestId}. Look at what the call was to change before you repeat it.`
  return rpcError(200, id, rpcCodes.internal, text, { code: 'internal', request_id: requestId })
}
