/** The proof that some acts ask for: it is asked for in place, and the act goes on. */
import { useSyncExternalStore } from 'react'

interface FactorRequest {
  answer: (isConfirmed: boolean) => void
  answered: Promise<boolean>
}

let asking: FactorRequest | undefined
const listeners = new Set<() => void>()

function set(value: FactorRequest | undefined): void {
  asking = value
  for (const listen of listeners) listen()
}

/** Asks the person to confirm; several calls that wait share one dialog. */
function askForFactor(): Promise<boolean> {
  if (!asking) {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    set({ answered: promise, answer: resolve })
  }
  return asking?.answered ?? Promise.resolve(false)
}

export function answerFactor(isConfirmed: boolean): void {
  asking?.answer(isConfirmed)
  set(undefined)
}

function subscribe(listen: () => void): () => void {
  listeners.add(listen)
  return () => listeners.delete(listen)
}

export const useFactorNeed = (): boolean =>
  useSyncExternalStore(subscribe, () => asking !== undefined)

/** Whether the person has confirmed what the response was refused for. */
export async function isConfirmed(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  const reason = (body as { reason?: unknown } | undefined)?.reason
  return (reason === 'fresh_factor' || reason === 'second_factor') && askForFactor()
}
