/** Caches what was read, refreshes it when it may have changed, and survives failures. */
import { CrierError } from '@crier-mail/sdk/session'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { showSessionEnded, showSessionOld } from './session.ts'
import { announceChange, onChangeElsewhere } from './tabs.ts'

const isOver = (error: unknown) => error instanceof CrierError && error.code === 'unauthorized'

/** Such a refusal leads to the sign-in; that of an ended session has no fix. */
export const needsFreshSignIn = (error: unknown) =>
  error instanceof CrierError && error.code === 'unauthorized' && error.fix?.url !== undefined

/** Only network errors and 5xx are retried: the other responses would be the same. */
const isPassing = (error: unknown) =>
  error instanceof CrierError && (error.status === 0 || error.status >= 500)

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => isOver(error) && showSessionEnded() }),
  mutationCache: new MutationCache({
    // A page may itself report that a fresh sign-in is required.
    onError: (error, _variables, _result, { meta }) => {
      if (!isOver(error) || meta?.['asksForFreshSignIn']) return
      if (needsFreshSignIn(error)) showSessionOld()
      else showSessionEnded()
    },
    onSuccess: () => {
      announceChange()
      return queryClient.invalidateQueries()
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => isPassing(error) && count < 2,
      // Also applies while the browser believes it is offline: the service may be on this machine.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

onChangeElsewhere(() => void queryClient.invalidateQueries())
