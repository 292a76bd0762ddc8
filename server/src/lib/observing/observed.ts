/**
 * Work that the operator sees in metrics. It is told to whoever counts it, and costs one comparison
 * while nobody does. Each process counts its own, whichever part of it did the work.
 */
import { channel } from 'node:diagnostics_channel'

export interface Work<T> {
  kind: 'send' | 'delivery'
  /** The channel of a message or the type of an event, never anything of a person or business. */
  name: string
  /** One of a few words; `error` where the work throws. */
  resultOf(value: T): string
}

export interface EndedWork extends Pick<Work<unknown>, 'kind' | 'name'> {
  result: string
  seconds: number
}

const ended = channel('crier.work')

export function observed<T>(work: Work<T>, run: () => Promise<T>): Promise<T> {
  return ended.hasSubscribers ? timed(work, run) : run()
}

async function timed<T>({ kind, name, resultOf }: Work<T>, run: () => Promise<T>): Promise<T> {
  const began = performance.now()
  let result = 'error'
  try {
    const value = await run()
    result = resultOf(value)
    return value
  } finally {
    const seconds = (performance.now() - began) / 1000
    ended.publish({ kind, name, result, seconds } satisfies EndedWork)
  }
}

/** Returns the function that ends the hearing. */
export function onEnded(hear: (work: EndedWork) => void): () => void {
  const listener = (work: unknown): void => hear(work as EndedWork)
  ended.subscribe(listener)
  return () => {
    ended.unsubscribe(listener)
  }
}
