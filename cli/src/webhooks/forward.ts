/** One delivery to a receiver on the developer's machine, as the service would make it. */
import { type CrierEvent, signWebhook } from '@crier-mail/sdk/node'
import { newId } from './new-id.ts'

export interface Receiver {
  url: string
  secret: string
  slug: string
}

/** The result of one delivery. */
export interface Attempt {
  delivery_id: string
  /** The status of the receiver's response; null where there was no response. */
  status: number | null
  ms: number
  /** The reason why it counts as failed. */
  error?: string
}

/** The contract's limit. The service retries a slower receiver later. */
const answerWithin = 5_000

/** Rejects only when `signal` aborts, and never because of the receiver. */
export async function forward(
  event: CrierEvent,
  { url, secret, slug }: Receiver,
  signal?: AbortSignal,
): Promise<Attempt> {
  const delivery_id = newId('dlv')
  const body = JSON.stringify(event)
  const headers = signWebhook({ body, secret, slug, deliveryId: delivery_id })
  const deadline = AbortSignal.timeout(answerWithin)
  const began = performance.now()
  const attempt = (status: number | null, error?: string): Attempt => ({
    delivery_id,
    status,
    ms: Math.round(performance.now() - began),
    ...(error !== undefined && { error }),
  })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    })
    const { status } = response
    const done = attempt(status, status >= 200 && status < 300 ? undefined : failureOf(response))
    // The status decides, so the body is not read.
    await response.body?.cancel().catch(() => undefined)
    return done
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (deadline.aborted) return attempt(null, `no answer within ${answerWithin / 1000} s`)
    const { cause } = error as { cause?: { code?: string } }
    return attempt(null, `no answer (${cause?.code ?? (error as Error).message})`)
  }
}

function failureOf({ status }: Response): string {
  return status >= 300 && status < 400 ? 'a redirect, which is not followed' : 'refused'
}
