/** One delivery to a receiver on the developer's side, as the service would make it. */
import { type CrierEvent, signWebhook } from '@crier-mail/sdk'
import { newId } from './new-id.ts'

export interface Receiver {
  url: string
  secret: string
  slug: string
}

/** How one delivery went. */
export interface Attempt {
  delivery_id: string
  /** The receiver's answer; null where none came. */
  status: number | null
  ms: number
  /** Why it counts as failed. */
  error?: string
}

/** The contract's: a receiver that takes longer is tried again later. */
const answerWithin = 5_000

/** Never rejects for what the receiver does; only when `signal` aborts. */
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
    // The status decides; what the body would say is not waited for.
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
