/**
 * One history of everything in a mail: typing, blocks, the subject, settings, translations. It keeps
 * the fields of the draft as they were before each change.
 */
import { useRef, useState } from 'react'
import { contentWords } from '../../words/content.ts'
import { keyOf } from '../blocks/keys.ts'
import type { Block } from '../blocks/model.ts'
import type { Fields } from './languages.ts'

/** Milliseconds within which further typing in one place is the same change. */
const pauseMs = 1_000
/** The most changes that can be undone. */
const length = 200

interface Change {
  /** What it is of, such as the text of a block. Only typing has one. */
  of: string | undefined
  name: string
  before: Partial<Fields>
  after: Partial<Fields>
  at: number
}

export interface History {
  /** To be called with a change before it is made. */
  record(before: Fields, after: Partial<Fields>): void
  undo: (() => void) | undefined
  redo: (() => void) | undefined
  /** What was undone or done again. */
  said: string
}

export function useHistory(turn: number, put: (part: Partial<Fields>) => void): History {
  const done = useRef<Change[]>([])
  const undone = useRef<Change[]>([])
  const [state, setState] = useState({ turn, said: '', count: 0 })
  // What came from elsewhere, such as a version that somebody else saved, has a history of its own.
  if (state.turn !== turn) {
    done.current = []
    undone.current = []
    setState({ turn, said: '', count: 0 })
  }
  const w = contentWords.history
  const move = (from: Change[], to: Change[], isUndo: boolean) => {
    const change = from.pop()
    if (!change) return
    // What is typed next is a change of its own.
    to.push({ ...change, at: 0 })
    put(isUndo ? change.before : change.after)
    const said = isUndo ? w.undone(change.name) : w.redone(change.name)
    setState(({ count }) => ({ turn, said, count: count + 1 }))
  }
  return {
    record(all, after) {
      const fields = Object.keys(after) as (keyof Fields)[]
      const before = Object.fromEntries(
        fields.map((field) => [field, all[field]]),
      ) as Partial<Fields>
      const { of, name } = describe(before, after)
      const last = done.current.at(-1)
      const at = Date.now()
      if (last && of !== undefined && last.of === of && at - last.at < pauseMs) {
        last.after = { ...last.after, ...after }
        last.at = at
      } else {
        done.current.push({ of, name, before, after, at })
        if (done.current.length > length) done.current.shift()
      }
      undone.current = []
      setState(({ count }) => ({ turn, said: '', count: count + 1 }))
    },
    undo: done.current.length > 0 ? () => move(done.current, undone.current, true) : undefined,
    redo: undone.current.length > 0 ? () => move(undone.current, done.current, false) : undefined,
    said: state.said,
  }
}

interface Described {
  of: string | undefined
  name: string
}

const typed = new Set(['text', 'items', 'by', 'alt', 'url', 'src', 'mjml'])

function describe(before: Partial<Fields>, after: Partial<Fields>): Described {
  const w = contentWords.history
  const fields = Object.keys(after)
  const [field = ''] = fields
  if (fields.length > 1) return { of: undefined, name: w.content }
  if (field.startsWith('translations.')) {
    const key = field as `translations.${string}`
    const [was, is] = [before[key], after[key]]
    if (!was || !is) return { of: undefined, name: w.language }
    const changed = (['subject', 'preheader', 'text', 'blocks', 'html', 'mjml'] as const).find(
      (part) => JSON.stringify(was[part]) !== JSON.stringify(is[part]),
    )
    const part = changed ?? 'text'
    const inside = describe(
      { [part]: was[part] } as Partial<Fields>,
      { [part]: is[part] } as Partial<Fields>,
    )
    return { of: inside.of && `${field} ${inside.of}`, name: inside.name }
  }
  if (field === 'blocks') return ofBlocks(before.blocks ?? [], after.blocks ?? [])
  const names: Record<string, string> = w.fields
  return { of: field, name: names[field] ?? w.content }
}

function ofBlocks(before: readonly Block[], after: readonly Block[]): Described {
  const w = contentWords.history
  const [was, is] = [flat(before), flat(after)]
  const keys = (of: readonly Block[]) => of.map(keyOf)
  const [old, now] = [new Set(keys(was)), new Set(keys(is))]
  const isAdded = is.some((block) => !old.has(keyOf(block)))
  const isDeleted = was.some((block) => !now.has(keyOf(block)))
  if (isAdded && isDeleted) return { of: undefined, name: w.content }
  if (isAdded) return { of: undefined, name: w.added }
  if (isDeleted) return { of: undefined, name: w.deleted }
  if (keys(was).join() !== keys(is).join()) return { of: undefined, name: w.moved }
  const place = is.findIndex((block, n) => block.type !== 'columns' && block !== was[n])
  const [earlier, block] = [was[place], is[place]]
  if (!earlier || !block) return { of: undefined, name: w.setting }
  const fields = new Set([...Object.keys(earlier), ...Object.keys(block)]) as Set<keyof Block>
  const field = [...fields].find(
    (key) => JSON.stringify(earlier[key]) !== JSON.stringify(block[key]),
  )
  const of = `${keyOf(block)} ${field}`
  return { of, name: typed.has(field ?? '') ? w.typing : w.setting }
}

const flat = (blocks: readonly Block[]): Block[] =>
  blocks.flatMap((block) => [block, ...(block.columns ?? []).flatMap(flat)])
