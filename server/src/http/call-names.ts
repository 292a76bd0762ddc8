/**
 * Translates names of operations in responses. Domains write `area.action`. A reader gets the name
 * that they call: with the service's slug and version, with dots, or with underscores where their
 * client lists tools that way.
 */
import { isObject } from '../lib/text/i-json.ts'

/** How names are listed: with dots, or with underscores for models that refuse dots. */
export type Spelling = 'dotted' | 'underscored'

export type CallName = (operation: string) => string

export function callNames(slug: string, spelling: Spelling): CallName {
  return (operation) => {
    const dotted = `${slug}.v1.${operation}`
    return spelling === 'dotted' ? dotted : dotted.replaceAll('.', '_')
  }
}

/** Fields with lists whose entries name operations. */
const listsWithNames = ['gates', 'missing', 'campaigns', 'sequences'] as const

/** Whether any part of the answer names an operation. Most answers do not. */
export function namesOperations(answer: unknown): boolean {
  if (!isObject(answer)) return false
  return (
    'possible' in answer ||
    'found' in answer ||
    'fix' in answer ||
    listsWithNames.some((list) => list in answer)
  )
}

/** Rewrites `possible`, the tools of fixes, and those that `meta.find` found, for the reader. */
export function withCallNames<T>(answer: T, name: CallName): T {
  if (!isObject(answer)) return answer
  const { possible, fix, found, areas } = answer
  const spelled: Record<string, unknown> = { ...answer }
  if (Array.isArray(possible)) spelled['possible'] = possible.map((entry) => name(String(entry)))
  if (isObject(fix) && typeof fix['tool'] === 'string') {
    spelled['fix'] = { ...fix, tool: name(fix['tool']) }
  }
  if (Array.isArray(found)) {
    spelled['found'] = found.map((tool) => ({ ...tool, name: name(tool.name) }))
  }
  if (Array.isArray(found) && Array.isArray(areas)) {
    spelled['areas'] = areas.map((area) => ({ ...area, tools: area.tools.map(name) }))
  }
  for (const list of listsWithNames) {
    const entries = answer[list]
    if (Array.isArray(entries)) spelled[list] = entries.map((entry) => withCallNames(entry, name))
  }
  return spelled as T
}
