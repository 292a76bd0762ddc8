/** Single-letter shortcuts, for people who have not disabled them and are not typing. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { useBusinessId } from '../api/businesses.ts'
import { everyPage } from './pages.ts'

const key = 'crier-shortcuts'
const listeners = new Set<() => void>()
const areOn = () => localStorage.getItem(key) !== 'off'

export function turnShortcuts(on: boolean): void {
  localStorage.setItem(key, on ? 'on' : 'off')
  for (const listen of listeners) listen()
}

export function useShortcutsOn(): boolean {
  return useSyncExternalStore((listen) => {
    listeners.add(listen)
    return () => listeners.delete(listen)
  }, areOn)
}

/** Whether a key belongs to a field, or to an open dialog or menu. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  return (
    target.closest(
      'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=menu]',
    ) !== null
  )
}

/** The messages in the corner have that role as well, within their region. */
const isInDialog = () => document.querySelector('[role=dialog]:not([role=region] *)') !== null

/** Calls `act` for a single key, outside of fields and dialogs. */
export function useKeys(keys: Record<string, (event: KeyboardEvent) => void>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const act = keys[event.key]
      if (!act || !areOn() || isTaken(event) || isInDialog()) return
      act(event)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [keys])
}

const secondKeyWithin = 1_200

/** `g` followed by the key of a page within a moment. */
export function useGoKeys(): void {
  const navigate = useNavigate()
  const business = useBusinessId()
  useEffect(() => {
    let pressedAt = Number.NEGATIVE_INFINITY
    const listen = (event: KeyboardEvent) => {
      if (!areOn() || isTaken(event) || isInDialog()) return
      const isSecond = event.timeStamp - pressedAt < secondKeyWithin
      pressedAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      const page = isSecond && everyPage.find((entry) => entry.key === event.key)
      if (!page) return
      event.preventDefault()
      event.stopImmediatePropagation()
      void navigate({ to: page.to, params: { business } })
    }
    window.addEventListener('keydown', listen, { capture: true })
    return () => window.removeEventListener('keydown', listen, { capture: true })
  }, [navigate, business])
}
