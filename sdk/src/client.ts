/** A client of one Crier server: signs in, renews its tokens, calls tools. */

import { type CallOptions, createRpc } from './calls/rpc.ts'
import { toolName } from './calls/tool-name.ts'
import { asFields, errorFromTool, firstText, parsed } from './errors/problem.ts'
import { type CallFunction, type Operations, operationsOver } from './generated/operations.ts'
import { keySource, needsNoSignIn } from './sign-in/key-source.ts'
import { oauthOver } from './sign-in/oauth.ts'
import { type SignInOptions, signInOverLoopback } from './sign-in/sign-in.ts'
import { createTokenKeeper } from './sign-in/token-keeper.ts'
import type { Secret } from './tokens/secret.ts'
import { memoryStore, type Store } from './tokens/store.ts'
import { createDiscovery } from './transport/discovery.ts'
import { type World, worldFrom } from './transport/http.ts'
import { parseAddress } from './transport/server-metadata.ts'

interface CommonOptions extends Partial<World> {
  /** The server's URL, such as `https://crier.example.com`, or that of its tool-call endpoint. */
  url: string
  /** The business to act in where a call does not name a business: `bus_…`. */
  business?: string
}

interface WithStore {
  /** The store of the connection of a person who signs in. */
  store: Store
  apiKey?: undefined
}

interface WithKey {
  /** An API key, `crk_…`, made in the app: for a program that signs nobody in. */
  apiKey: string
  store?: undefined
}

export type ClientOptions = CommonOptions & (WithStore | WithKey)

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
  state: 'signed_out' | 'signed_in' | 'severed' | 'api_key'
  /** Scopes that were granted. */
  scopes: string[]
  /** When the access token expires; it is renewed before. */
  expiresAt?: Date
}

/** See {@link createClient}. */
export interface Client extends Operations {
  /**
   * Calls a tool and returns its result. `name` may be short (`form.list`) or whole
   * (`svc.v1.form.list`). Throws a {@link CrierError} where the tool refuses.
   */
  call<T = unknown>(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<T>
  /** Every tool of the server, in its order. */
  listTools(options?: CallOptions): Promise<Tool[]>
  /** Signs a person in through a browser on this machine, and stores the connection. */
  signIn(options: SignInOptions): Promise<Status>
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

/** A client of the server at `url`, for the connection in `store`, or with an API key. */
export function createClient(options: ClientOptions): Client {
  const { business, apiKey } = options
  const store = options.store ?? memoryStore()
  const world = worldFrom(options)
  const discovery = createDiscovery(parseAddress(options.url), world)
  const oauth = oauthOver(discovery, world)
  const tokens =
    apiKey === undefined ? createTokenKeeper({ store, oauth, world }) : keySource(apiKey)
  const rpc = createRpc({ world, discovery, tokens })

  const status = async (): Promise<Status> => {
    if (apiKey !== undefined) return { state: 'api_key', scopes: [] }
    const connection = await store.read()
    if (!connection) return { state: 'signed_out', scopes: [] }
    const { severed, scopes, expiresAt } = connection
    if (severed) return { state: 'severed', scopes: [] }
    return { state: 'signed_in', scopes, expiresAt: new Date(expiresAt) }
  }

  const call: CallFunction = async <T>(
    name: string,
    args: object = {},
    options: CallOptions = {},
  ) => {
    // The token comes first, because reading it also loads the stored endpoints.
    await tokens.token(options.signal)
    const { toolEndpoint } = await discovery.get()
    const params = {
      name: toolName(name, toolEndpoint),
      arguments: business === undefined ? args : { business_id: business, ...args },
    }
    return valueIn(await rpc('tools/call', params, options)) as T
  }

  return {
    ...operationsOver(call),
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

    async signIn(options) {
      if (apiKey !== undefined) throw needsNoSignIn()
      const connection = await signInOverLoopback(oauth, () => world.now(), options)
      await store.exclusive(() => store.write(connection))
      return status()
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
}

/** A tool's result: its structured content, else the JSON or the text of its first block. */
function valueIn(result: unknown): unknown {
  const fields = asFields(result)
  if (fields['isError'] === true) throw errorFromTool(200, result)
  const text = firstText(fields)
  return fields['structuredContent'] ?? parsed(text) ?? text ?? result
}
