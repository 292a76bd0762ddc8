/**
 * Work that the operator sees: metrics count it, and traces follow it. It is told to whoever does
 * so, and costs a comparison or two while nobody does.
 */
import { channel } from 'node:diagnostics_channel'

export interface Work<T> {
  kind: 'call' | 'statement' | 'send' | 'delivery'
  /** The operation, statement, channel or type of event: never anything of a person or business. */
  name: string
  /** One of a few words; `error` where the work throws. */
  resultOf?(value: T): string
  /** More for traces alone: ids of our own and texts of statements, never what a person gave. */
  details?: Readonly<Record<string, string>>
  /** The event that a delivery tells, by which the trace of its call is found. */
  event?: EventKey
}

export interface EventKey {
  businessId: string
  eventId: string
  eventAt: Date
}

export interface EndedWork extends Pick<Work<unknown>, 'name'> {
  /** `report`: what a remote server, a link or a person reported about a message. */
  kind: Work<unknown>['kind'] | 'report'
  result: string
  seconds: number
}

/** Follows work in traces. It runs the work whatever happens to the trace. */
export interface Follower {
  follow<T>(work: Work<T>, run: () => Promise<T>): Promise<T>
  /** The headers by which another service goes on with the trace of the work that runs now. */
  headers(): Record<string, string>
}

let follower: Follower | undefined

/** Each process has one follower at most; undefined ends the following. */
export function followWith(next: Follower | undefined): void {
  follower = next
}

export const isFollowed = (): boolean => follower !== undefined
export const traceHeaders = (): Record<string, string> => follower?.headers() ?? {}

/** Work that only traces follow. */
export function followed<T>(work: Work<T>, run: () => Promise<T>): Promise<T> {
  return follower ? follower.follow(work, run) : run()
}

const ended = channel('crier.work')

/** Work that is counted, and followed by traces as well. */
export function observed<T>(work: Work<T>, run: () => Promise<T>): Promise<T> {
  return ended.hasSubscribers ? timed(work, () => followed(work, run)) : followed(work, run)
}

async function timed<T>({ kind, name, resultOf }: Work<T>, run: () => Promise<T>): Promise<T> {
  const began = performance.now()
  let result = 'error'
  try {
    const value = await run()
    result = resultOf?.(value) ?? 'ok'
    return value
  } finally {
    const seconds = (performance.now() - began) / 1000
    ended.publish({ kind, name, result, seconds } satisfies EndedWork)
  }
}

/** Counts a report about a message by its event, such as `bounced`. */
export function countReport(name: string): void {
  if (!ended.hasSubscribers) return
  ended.publish({ kind: 'report', name, result: 'ok', seconds: 0 } satisfies EndedWork)
}

/** Returns the function that ends the hearing. */
export function onEnded(hear: (work: EndedWork) => void): () => void {
  const listener = (work: unknown): void => hear(work as EndedWork)
  ended.subscribe(listener)
  return () => {
    ended.unsubscribe(listener)
  }
}
