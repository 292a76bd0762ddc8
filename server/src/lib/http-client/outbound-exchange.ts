/**
 * One request and its response, straight from undici's dispatcher. A response of a few bytes needs
 * no stream and no signal of its own (`request` with both costs twice as much).
 */
import type { Dispatcher } from 'undici'
import { failed, failureOf, type OutboundFailure } from './outbound-failure.ts'

export interface OutboundAnswer {
  outcome: 'answered'
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** False where the body is incomplete: too long, too slow, or interrupted. */
  complete: boolean
}

export interface ExchangeLimits {
  /** Milliseconds from the start, including DNS and connection, to the end of the headers. */
  deadlineMs: number
  /** Milliseconds from the headers to the end of the body. */
  bodyMs: number
  maxBytes: number
}

type Ended = OutboundAnswer | OutboundFailure

/** Resolves with expected failures too; rejects only for a bug. */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const handler = new Exchange(limits, resolve, reject)
    dispatcher.dispatch(request, handler)
  })
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits
  readonly #resolve: (ended: Ended) => void
  readonly #reject: (fault: unknown) => void
  readonly #chunks: Buffer[] = []
  #size = 0
  #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #head: Pick<OutboundAnswer, 'status' | 'headers'> | undefined
  #isOver = false

  constructor(
    limits: ExchangeLimits,
    resolve: (ended: Ended) => void,
    reject: (fault: unknown) => void,
  ) {
    this.#limits = limits
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(() => this.#cut(failed('timeout', 'DEADLINE')), limits.deadlineMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The deadline passed before the request got a connection.
    if (this.#isOver) controller.abort(new Error('too late'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: OutboundAnswer['headers'],
  ): void {
    if (status < 200 || this.#isOver) return
    this.#head = { status, headers }
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#cut(), this.#limits.bodyMs)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size > this.#limits.maxBytes) this.#cut()
  }

  onResponseEnd(): void {
    this.#end(this.#answer(true))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return
    // The response was interrupted after its headers. The part that arrived is returned, marked as
    // incomplete.
    if (this.#head) {
      this.#end(this.#answer(false))
      return
    }
    clearTimeout(this.#timer)
    this.#isOver = true
    try {
      this.#resolve(failureOf(error))
    } catch (fault) {
      this.#reject(fault)
    }
  }

  /** Ends the exchange before the remote server does, and closes its connection. */
  #cut(ended: Ended = this.#answer(false)): void {
    this.#end(ended)
    this.#controller?.abort(new Error('cut'))
  }

  #end(ended: Ended): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#resolve(ended)
  }

  #answer(complete: boolean): Ended {
    if (!this.#head) return failed('protocol', 'NO_HEADERS')
    const [only] = this.#chunks
    const whole = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : (only ?? nothing)
    const body = whole.subarray(0, this.#limits.maxBytes)
    return { outcome: 'answered', ...this.#head, body, complete }
  }
}

const nothing = Buffer.alloc(0)
