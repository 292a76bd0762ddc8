/** A person's change of some fields, against what somebody else saved meanwhile. */
import type { KeptDraft } from './kept-draft.ts'

export interface Conflict {
  field: string
  yours: unknown
  theirs: unknown
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields that both changed, to different values. */
export function conflictsOf<T extends object>(kept: KeptDraft<T>, stored: T): Conflict[] {
  const fields = Object.keys(kept.changed) as (keyof T & string)[]
  return fields.flatMap((field) => {
    const [yours, theirs] = [kept.changed[field], stored[field]]
    if (same(yours, theirs) || same(kept.from[field], theirs)) return []
    return [{ field, yours, theirs }]
  })
}

/** The same change, made from the stored version; undefined where nothing of it is left to save. */
export function rebased<T extends object>(
  { changed, at }: KeptDraft<T>,
  { version, stored }: { version: number; stored: T },
): KeptDraft<T> | undefined {
  const fields = Object.keys(changed) as (keyof T & string)[]
  const left = fields.filter((field) => !same(changed[field], stored[field]))
  if (left.length === 0) return undefined
  const part = (of: Partial<T>) =>
    Object.fromEntries(left.map((field) => [field, of[field]])) as Partial<T>
  return { version, from: part(stored), changed: part(changed), at }
}

/** The change without the fields that were saved as they are; newer typing stays. */
export function without<T extends object>(
  { changed, ...kept }: KeptDraft<T>,
  saved: Partial<T>,
): KeptDraft<T> | undefined {
  const left = Object.entries(changed).filter(
    ([field, value]) => !same(value, saved[field as keyof T]),
  )
  if (left.length === 0) return undefined
  const from = { ...kept.from, ...saved }
  return { ...kept, from, changed: Object.fromEntries(left) as Partial<T> }
}
