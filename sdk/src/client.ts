/** A client of one Crier server, in any runtime that has `fetch`. */

import { type WaitForMail, waitForMail } from './calls/inbox.ts'
import { type CallOptions, createRest, type Hooks } from './calls/rest.ts'
import { createRpc } from './calls/rpc.ts'
import { shortName, toolName } from './calls/tool-name.ts'
import { asFields, errorFromTool, firstText, parsed } from './errors/problem.ts'
import { type CallFunction, type Operations, operationsOver } from './generated/operations.ts'
import { keyless, routes } from './generated/routes.ts'
import { keySource } from './sign-in/key-source.ts'
import { type OAuth, oauthOver } from './sign-in/oauth.ts'
import { createTokenKeeper } from './sign-in/token-keeper.ts'
import type { Secret } from './tokens/secret.ts'
import { memoryStore, type Store } from './tokens/store.ts'
import { createDiscovery } from './transport/discovery.ts'
import { type World, worldFrom } from './transport/http.ts'
import { parseAddress } from './transport/server-metadata.ts'

interface CommonOptions extends Partial<World>, Hooks {
  /** The server's URL, such as `https://crier.example.com`, or that of its tool-call endpoint. */
  url: string
  /** The business to act in where a call does not name a business: `bus_…`. */
  business?: string
}

interface WithStore {
  /** The store of the connection of a person who signs in. */
  store: Store
  apiKey?: undefined
  session?: undefined
}

interface WithKey {
  /** An API key, `crk_…`, made in the app: for a program that signs nobody in. */
  apiKey: string
  store?: undefined
  session?: undefined
}

interface WithSession {
  /** For a page that the service itself serves: the browser sends the session's cookie. */
  session: true
  apiKey?: undefined
  store?: undefined
}

export type ClientOptions = CommonOptions & (WithStore | WithKey | WithSession)

/** One tool, as the server lists it. */
export interface Tool {
  name: string
  title?: string
  description?: string
  inputSchema: Record<string, unknown>
  annotations?: Record<string, unknown>
}

/** The state of the connection; contains no secret. */
export interface Status {
  state: 'signed_out' | 'signed_in' | 'severed' | 'api_key' | 'session'
  /** Scopes that were granted. */
  scopes: string[]
  /** When the access token expires; it is renewed before. */
  expiresAt?: Date
}

/** See {@link createClient}. */
export interface Client extends Operations {
  inbox: Operations['inbox'] & {
    /**
     * Waits for a mail in the test inbox: `client.inbox.waitFor({ to: 'ana@example.com' })`. Throws
     * if none came in time.
     */
    waitFor: WaitForMail
  }
  /**
   * Calls an operation by its name and returns its result. `name` may be short (`form.list`) or
   * whole (`svc.v1.form.list`). An operation that this package does not know is called at the
   * server's tool endpoint. Throws a {@link CrierError} where it is refused.
   */
  call<T = unknown>(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<T>
  /** Every tool of the server, in its order. */
  listTools(options?: CallOptions): Promise<Tool[]>
  /**
   * Ends the connection at the server, then deletes it here, whatever the server responds. Returns
   * true where the server has ended it.
   */
  signOut(options?: { signal?: AbortSignal }): Promise<boolean>
  /** The state in the store, without a request to the server. */
  status(): Promise<Status>
  /** The bearer token of the next call, renewed if it expires soon: for other programs, such as curl. */
  accessToken(options?: { signal?: AbortSignal }): Promise<Secret>
}

/** The longest `Retry-After`, in seconds, that this client waits for; the caller handles others. */
const longestWait = 60

/** A client of the server at `url`, for the connection in `store`, or with an API key. */
export function createClient(options: ClientOptions): Client {
  return connect(options).client
}

/** The client with its parts, to which an entry point for one runtime adds. */
export function connect(options: ClientOptions): {
  client: Client
  oauth: OAuth
  store: Store
  world: World
} {
  const { business, apiKey, session = false } = options
  const store = options.store ?? memoryStore()
  const world = worldFrom(options)
  const address = parseAddress(options.url)
  const discovery = createDiscovery(address, world)
  const oauth = oauthOver(discovery, world)
  const tokens =
    apiKey === undefined ? createTokenKeeper({ store, oauth, world }) : keySource(apiKey)
  const rpc = createRpc({ world, discovery, tokens })
  const rest = createRest({
    world,
    base: address.base,
    routes,
    keyless,
    tokens: session ? undefined : tokens,
    repeatsFailures: true,
    longestWait,
    ...(options.onRequest && { onRequest: options.onRequest }),
    ...(options.onResponse && { onResponse: options.onResponse }),
  })

  const status = async (): Promise<Status> => {
    if (session) return { state: 'session', scopes: [] }
    if (apiKey !== undefined) return { state: 'api_key', scopes: [] }
    const connection = await store.read()
    if (!connection) return { state: 'signed_out', scopes: [] }
    const { severed, scopes, expiresAt } = connection
    if (severed) return { state: 'severed', scopes: [] }
    return { state: 'signed_in', scopes, expiresAt: new Date(expiresAt) }
  }

  const callTool = async (name: string, args: object, options: CallOptions): Promise<unknown> => {
    // The token comes first, because reading it also loads the stored endpoints.
    await tokens.token(options.signal)
    const { toolEndpoint } = await discovery.get()
    const params = { name: toolName(name, toolEndpoint), arguments: args }
    return valueIn(await rpc('tools/call', params, options))
  }

  const call: CallFunction = async <T>(
    name: string,
    args: object = {},
    options: CallOptions = {},
  ) => {
    const input = business === undefined ? args : { business_id: business, ...args }
    const operation = shortName(name)
    const isKnown = Object.hasOwn(routes, operation)
    return (await (isKnown ? rest(operation, input, options) : callTool(name, input, options))) as T
  }

  const operations = operationsOver(call)
  const client: Client = {
    ...operations,
    inbox: { ...operations.inbox, waitFor: waitForMail(operations.inbox.list) },
    call,

    async listTools(options = {}) {
      const tools: Tool[] = []
      let cursor: unknown
      do {
        const params = cursor === undefined ? {} : { cursor }
        const page = asFields(await rpc('tools/list', params, options))
        tools.push(...(page['tools'] as Tool[]))
        cursor = page['nextCursor']
      } while (cursor !== undefined)
      return tools
    },

    async accessToken({ signal } = {}) {
      return tokens.token(signal)
    },

    async signOut({ signal } = {}) {
      return store.exclusive(async () => {
        try {
          const connection = await store.read()
          if (!connection || connection.severed) return false
          oauth.remember(connection.server)
          const token = connection.refreshToken ?? connection.accessToken
          return await oauth.revoke(connection.clientId, token, signal)
        } finally {
          await store.write(undefined)
        }
      })
    },

    status,
  }
  return { client, oauth, store, world }
}

/** A tool's result: its structured content, else the JSON or the text of its first block. */
function valueIn(result: unknown): unknown {
  const fields = asFields(result)
  if (fields['isError'] === true) throw errorFromTool(200, result)
  const text = firstText(fields)
  return fields['structuredContent'] ?? parsed(text) ?? text ?? result
}
