/**
 * What a person typed and has not saved, kept in this browser: in this tab, so that two tabs keep
 * their own, and beyond it, so that it survives a closed tab. Signing out deletes it.
 */
export interface KeptDraft<T> {
  /** The saved version from which the change was made. */
  version: number
  /** The saved values of the changed fields in that version. */
  from: Partial<T>
  changed: Partial<T>
  /** When it was last changed, in milliseconds since 1970. */
  at: number
}

const prefix = 'crier-unsaved'
const places = [sessionStorage, localStorage]

export function readKept<T>(name: string): KeptDraft<T> | undefined {
  for (const place of places) {
    try {
      const kept = JSON.parse(place.getItem(`${prefix} ${name}`) ?? 'null') as KeptDraft<T> | null
      if (kept && typeof kept.version === 'number') return kept
    } catch {
      // What cannot be read is as if it were not there.
    }
  }
  return undefined
}

export function keep<T>(name: string, kept: KeptDraft<T> | undefined): void {
  for (const place of places) {
    try {
      if (kept) place.setItem(`${prefix} ${name}`, JSON.stringify(kept))
      else place.removeItem(`${prefix} ${name}`)
    } catch {
      // Where the browser's storage is full or closed, the page itself still has it.
    }
  }
}
