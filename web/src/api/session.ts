/** Why the person must sign in, for the dialog that reports it. */
import { useSyncExternalStore } from 'react'

/** The session ended, or it lives and this act needs a sign-in of the last minutes. */
export type SignInNeed = 'ended' | 'old'

let need: SignInNeed | undefined
const listeners = new Set<() => void>()

function set(value: SignInNeed | undefined): void {
  need = value
  for (const listen of listeners) listen()
}

export const showSessionEnded = () => set('ended')
export const showSessionOld = () => set('old')
export const hideSignIn = () => set(undefined)

function subscribe(listen: () => void): () => void {
  listeners.add(listen)
  return () => listeners.delete(listen)
}

export const useSignInNeed = () => useSyncExternalStore(subscribe, () => need)

/** For what needs a sign-in of the last minutes though the session is alive. */
export const signInAgainUrl = () =>
  `/login?again=yes&next=${encodeURIComponent(location.pathname + location.search)}`

/** After signing in, the person returns to this URL. */
export const signInUrl = () =>
  `/login?next=${encodeURIComponent(location.pathname + location.search)}`
