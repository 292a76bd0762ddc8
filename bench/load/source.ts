/** The requests of the generator, and the check that a response is correct. */
import type { Answer } from './connection.ts'
import { postBytes } from './connection.ts'
import { type DrawnSpec, drawnSource } from './drawn-source.ts'

export interface Source {
  /** The next request of the connection with this number. */
  next(connection: number): Buffer
  /** Throws where the response to that connection's last request is wrong. */
  check(connection: number, answer: Answer): void
}

/** Requests whose correct responses are known to the byte. All connections take them in turn. */
export interface FixedSpec {
  kind: 'fixed'
  exchanges: { request: Uint8Array; answer: Uint8Array }[]
}

/** Refresh chains: each connection sends the token from its last response. */
export interface ChainSpec {
  kind: 'chains'
  path: string
  clientId: string
  /** One for each connection. */
  tokens: string[]
}

export type SourceSpec = FixedSpec | ChainSpec | DrawnSpec

export function createSource(spec: SourceSpec): Source {
  if (spec.kind === 'drawn') return drawnSource(spec)
  return spec.kind === 'fixed' ? fixedSource(spec) : chainSource(spec)
}

function fixedSource({ exchanges }: FixedSpec): Source {
  // Views of the bytes in the parent's message, created once.
  const all = exchanges.map(({ request, answer }) => ({
    request: Buffer.from(request),
    answer: Buffer.from(answer),
  }))
  const asked: (typeof all)[number][] = []
  let turn = 0
  return {
    next(connection) {
      const exchange = all[turn++ % all.length]
      if (!exchange) throw new Error('the source has no requests')
      asked[connection] = exchange
      return exchange.request
    },
    check(connection, { status, body }) {
      if (status === 200 && asked[connection]?.answer.equals(body)) return
      throw new Error(`a wrong answer: ${status} ${body.toString().slice(0, 300)}`)
    },
  }
}

function chainSource({ path, clientId, tokens }: ChainSpec): Source {
  const held = [...tokens]
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return {
    next(connection) {
      const form = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: held[connection] ?? '',
        client_id: clientId,
      })
      return postBytes(path, headers, form.toString())
    },
    check(connection, { status, body }) {
      const text = body.toString()
      const answer = (status === 200 ? JSON.parse(text) : {}) as Record<string, unknown>
      const next = answer['refresh_token']
      const fresh = typeof next === 'string' && next.startsWith('rt_') && next !== held[connection]
      if (!fresh || typeof answer['access_token'] !== 'string' || answer['expires_in'] !== 3600) {
        throw new Error(`a wrong answer: ${status} ${text.slice(0, 300)}`)
      }
      held[connection] = next
    },
  }
}
