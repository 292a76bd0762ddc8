/** An object while a person edits it: the saved fields, and above them what they changed. */
import { useEffect, useState } from 'react'
import { tell } from '../../ui/tell.ts'
import { withTexts } from '../../words/texts.ts'
import { type KeptDraft, keep, readKept } from './kept-draft.ts'
import { type Conflict, conflictsOf, rebased, without } from './merge.ts'

const loadDraftTexts = withTexts(() => import('../../words/drafts.ts'))

/** Who saved the stored version. */
export interface Saved {
  at: string
  by: string | null
  by_you: boolean
  through_connection: boolean
}

interface Source<T> {
  /** The name under which it is kept: the business, what it is, and its id. */
  name: string
  version: number
  stored: T
  saved?: Saved | null | undefined
}

export interface Draft<T extends object> {
  value: T
  changed: Partial<T>
  isChanged: boolean
  /** The version that a save names as `if_version`. */
  version: number
  /** The fields that somebody else saved otherwise meanwhile; nothing is saved before a choice. */
  conflicts: Conflict[]
  /** Somebody else saved other fields; the draft is about to be put on top of them. */
  isMergeable: boolean
  saved: Saved | null | undefined
  /** Changes when the value is replaced other than by typing, for parts with a state of their own. */
  turn: number
  /** When it was changed, if it was found in this browser as the editor opened. */
  foundAt: number | undefined
  change(part: Partial<T>): void
  discard(): void
  takeTheirs(): void
  keepMine(): void
  /** To be called as soon as a save stored it: a page that is loaded anew has nothing left to save. */
  wasStored(changed: Partial<T>): void
  /** To be called with what a save stored, once the page has read it. */
  wasSaved(changed: Partial<T>): void
}

export function useDraft<T extends object>({ name, version, stored, saved }: Source<T>): Draft<T> {
  const [kept, setKept] = useState(() => readKept<T>(name))
  const [found, setFound] = useState(kept)
  const [seen, setSeen] = useState(version)
  const [turn, setTurn] = useState(0)
  const put = (next: KeptDraft<T> | undefined) => {
    keep(name, next)
    setKept(next)
    if (!next) setFound(undefined)
  }
  const replace = (next: KeptDraft<T> | undefined) => {
    put(next)
    setTurn(turn + 1)
  }
  if (seen !== version) {
    setSeen(version)
    if (!kept) setTurn(turn + 1)
  }
  const conflicts = kept && kept.version !== version ? conflictsOf(kept, stored) : []
  const isMergeable = kept !== undefined && kept.version < version && conflicts.length === 0
  useEffect(() => {
    if (!isMergeable || !kept) return
    // What was typed since is merged in its own turn, and not lost to this one.
    const newest = readKept<T>(name)
    if (newest && newest.at !== kept.at) return
    const next = rebased(kept, { version, stored })
    keep(name, next)
    setKept(next)
    if (next && saved && !saved.by_you) {
      void loadDraftTexts().then(({ draftWords }) => tell(draftWords.merged))
    }
  }, [isMergeable, kept, version, stored, name, saved])
  const rebase = () => kept && rebased(kept, { version, stored })

  return {
    value: { ...stored, ...kept?.changed },
    changed: kept?.changed ?? {},
    isChanged: kept !== undefined,
    version: kept?.version ?? version,
    conflicts,
    isMergeable,
    saved,
    turn,
    foundAt: found?.at,
    change(part) {
      const base = kept ?? { version, from: {}, changed: {} }
      const fields = Object.keys(part) as (keyof T)[]
      const first = Object.fromEntries(fields.map((field) => [field, stored[field]]))
      const next = {
        version: base.version,
        from: { ...first, ...base.from } as Partial<T>,
        changed: { ...base.changed, ...part },
        at: Date.now(),
      }
      put(next.version === version ? rebased(next, { version, stored }) : next)
    },
    discard: () => replace(undefined),
    takeTheirs() {
      if (!kept) return
      const theirs = new Set(conflicts.map(({ field }) => field))
      const left = Object.entries(kept.changed).filter(([field]) => !theirs.has(field))
      const changed = Object.fromEntries(left) as Partial<T>
      replace(rebased({ ...kept, changed }, { version, stored }))
    },
    keepMine: () => put(rebase()),
    wasStored(changed) {
      const now = readKept<T>(name)
      keep(name, now && without(now, changed))
    },
    wasSaved(changed) {
      // The person may have typed on, or left the page, while the save was under way.
      const now = readKept<T>(name)
      put(now && without(now, changed))
    },
  }
}
