import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ContactsSearch } from './search.ts'

const from = '/$business/contacts' as const

type Changes = { [Key in keyof ContactsSearch]?: ContactsSearch[Key] | undefined }

/** Changes the search parameters; undefined ones are removed. */
export function useContactsSearch() {
  const search = useSearch({ from })
  const navigate = useNavigate({ from })
  const changeAndWait = (next: Changes, replace = false): Promise<void> =>
    navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...next }).filter(([, value]) => value !== undefined),
        ) as ContactsSearch,
      replace,
    })
  const change = (next: Changes, replace = false): void => void changeAndWait(next, replace)
  return { search, change, changeAndWait }
}
