/** The tool-call endpoint: JSON-RPC 2.0, as the contract's bare call. */

import { CrierError } from '../errors/error.ts'
import { asFields, errorFrom } from '../errors/problem.ts'
import type { TokenSource } from '../sign-in/token-keeper.ts'
import type { Discovery } from '../transport/discovery.ts'
import { type Answer, sendJson, type World } from '../transport/http.ts'
import type { CallOptions } from './rest.ts'

/** The longest `Retry-After`, in seconds, that this client waits for; the caller handles others. */
const longestWait = 60

export interface RpcParts {
  world: World
  discovery: Pick<Discovery, 'call'>
  tokens: TokenSource
}

/** Calls a method of the endpoint; returns its `result` or throws its error. */
export type Rpc = (method: string, params: object, options: CallOptions) => Promise<unknown>

export function createRpc({ world, discovery, tokens }: RpcParts): Rpc {
  let lastId = 0

  const post = (body: object, token: string, signal: AbortSignal | undefined): Promise<Answer> =>
    discovery.call(({ toolEndpoint }) =>
      sendJson(world, toolEndpoint, body, {
        headers: { authorization: `Bearer ${token}` },
        signal,
      }),
    )

  /** Contract 14.3: on a 401 refresh once and retry; a second one is final. */
  const authorized = async (body: object, signal: AbortSignal | undefined): Promise<Answer> => {
    const token = await tokens.token(signal)
    const answer = await post(body, token.reveal(), signal)
    if (answer.status !== 401 || !tokens.renew) return answer
    const renewed = await tokens.renew(token, signal)
    return post(body, renewed.reveal(), signal)
  }

  return async (method, params, { signal, retries = 2 }) => {
    const id = ++lastId
    for (let attempt = 0; ; attempt++) {
      const answer = await authorized({ jsonrpc: '2.0', id, method, params }, signal)
      if (answer.status === 429 && attempt < retries) {
        // A refused call did not run, so trying again cannot do anything twice.
        const error = errorFrom(answer, world.now())
        const seconds = error.retryAfter ?? 2 ** attempt
        if (seconds > longestWait) throw error
        await world.wait(seconds * 1000, signal)
        continue
      }
      return resultOf(answer, { id, now: world.now(), isRenewable: tokens.renew !== undefined })
    }
  }
}

function resultOf(
  answer: Answer,
  { id, now, isRenewable }: { id: number; now: number; isRenewable: boolean },
): unknown {
  const body = asFields(answer.body)
  if (answer.status === 401 && isRenewable) throw signInAgain(errorFrom(answer, now))
  if (answer.status !== 200 || body['error'] !== undefined) throw errorFrom(answer, now)
  if (body['id'] !== id || body['result'] === undefined) {
    throw new CrierError({
      code: 'bad_response',
      status: answer.status,
      message: 'The answer is not that of a tool-call endpoint. Is the address right?',
    })
  }
  return body['result']
}

function signInAgain(error: CrierError): CrierError {
  return new CrierError({
    code: 'unauthorized',
    status: 401,
    requestId: error.requestId,
    message: `${error.message.replace(/\.?$/, '.')} A fresh token was refused as well: sign in again.`,
  })
}
