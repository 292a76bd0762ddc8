/** Saves a draft. Where the connection fails, the save is tried again until it succeeds. */
import { CrierError } from '@crier-mail/sdk/session'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Draft } from './use-draft.ts'

/** The longest pause between two tries, in milliseconds. */
const longestPauseMs = 5_000

/** The network or the service failed; every other answer would be the same again. */
const isPassing = (error: unknown) =>
  error instanceof CrierError && (error.status === 0 || error.status >= 500)

/** Somebody else saved a newer version. */
const isStale = (error: unknown) => error instanceof CrierError && error.field === 'if_version'

interface Attempt<Variables> {
  variables: Variables
  /** Called if the editor is still open when the draft is saved. */
  onDone?: (() => void) | undefined
}

/**
 * `run` saves the draft as it is then. If somebody else saved other fields, the same save is made
 * again on top of theirs; if they saved the same fields, the person chooses.
 */
export function useSave<T extends object, Variables>(
  draft: Draft<T>,
  run: (changed: Partial<T>, variables: Variables) => Promise<unknown>,
  onSaved: (variables: Variables) => void,
) {
  const client = useQueryClient()
  const [refused, setRefused] = useState<Attempt<Variables>>()
  const mutation = useMutation({
    mutationFn: async ({ variables }: Attempt<Variables>) => {
      const { changed } = draft
      await run(changed, variables)
      draft.wasStored(changed)
      return changed
    },
    retry: (_count, error) => isPassing(error),
    retryDelay: (attempt) => Math.min(longestPauseMs, 500 * 2 ** attempt),
    onSuccess: (changed, { variables }) => {
      draft.wasSaved(changed)
      onSaved(variables)
    },
    onError: async (error, attempt) => {
      if (!isStale(error)) return
      await client.invalidateQueries()
      setRefused(attempt)
    },
  })
  const save = (attempt: Attempt<Variables>) =>
    mutation.mutate(attempt, { onSuccess: () => attempt.onDone?.() })
  useEffect(() => {
    if (!refused || draft.isMergeable) return
    setRefused(undefined)
    if (draft.isChanged && draft.conflicts.length === 0) save(refused)
  })
  return {
    save: (variables: Variables, onDone?: () => void) => save({ variables, onDone }),
    isSaving: mutation.isPending,
    /** A try failed, and others follow. */
    isRetrying: mutation.isPending && mutation.failureCount > 0,
    /** A refusal that the person has to read; a newer version is shown with the draft. */
    error: isStale(mutation.error) ? null : mutation.error,
  }
}
