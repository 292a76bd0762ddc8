import { useState } from 'react'

/**
 * Text that a person typed and has not saved. It is stored for this tab, so that it survives a new
 * sign-in or a reload.
 */
export function useUnsaved<T>(name: string, initial: T): [T, (value: T) => void] {
  const key = `crier-unsaved ${name}`
  const [value, setValue] = useState<T>(() => {
    const kept = sessionStorage.getItem(key)
    return kept === null ? initial : (JSON.parse(kept) as T)
  })
  const set = (next: T) => {
    setValue(next)
    if (JSON.stringify(next) === JSON.stringify(initial)) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(next))
  }
  return [value, set]
}
