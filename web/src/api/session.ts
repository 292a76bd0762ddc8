/** Whether the session was found to have ended, for the dialog that reports it. */
import { useSyncExternalStore } from 'react'

let ended = false
const listeners = new Set<() => void>()

function set(value: boolean): void {
  ended = value
  for (const listen of listeners) listen()
}

export const showSessionEnded = () => set(true)
export const hideSessionEnded = () => set(false)

function subscribe(listen: () => void): () => void {
  listeners.add(listen)
  return () => listeners.delete(listen)
}

export const useSessionEnded = () => useSyncExternalStore(subscribe, () => ended)

/** For what needs a sign-in of the last minutes though the session is alive. */
export const signInAgainUrl = () =>
  `/login?again=yes&next=${encodeURIComponent(location.pathname + location.search)}`

/** After signing in, the person returns to this URL. */
export const signInUrl = () =>
  `/login?next=${encodeURIComponent(location.pathname + location.search)}`
