/**
 * Translates names of operations in answers. Domains write `area.action`; a reader gets the name
 * as they call it: with the service's slug and version, dotted, or with underscores where their
 * client lists tools so.
 */
import { isObject } from '../lib/schema/is-object.ts'

/** How names are listed: dotted, or with underscores for models that refuse a dot. */
export type Spelling = 'dotted' | 'underscored'

export type CallName = (operation: string) => string

export function callNames(slug: string, spelling: Spelling): CallName {
  return (operation) => {
    const dotted = `${slug}.v1.${operation}`
    return spelling === 'dotted' ? dotted : dotted.replaceAll('.', '_')
  }
}

/** Fields with lists whose entries name operations. */
const listsWithNames = ['gates', 'missing', 'campaigns'] as const

/** Whether anything in the answer names an operation; most answers do not. */
export function namesOperations(answer: unknown): boolean {
  if (!isObject(answer)) return false
  return (
    'possible' in answer ||
    'tools' in answer ||
    'fix' in answer ||
    listsWithNames.some((list) => list in answer)
  )
}

/** Rewrites `possible` and the tools of fixes for the reader. */
export function withCallNames<T>(answer: T, name: CallName): T {
  if (!isObject(answer)) return answer
  const { possible, fix, tools } = answer
  const spelled: Record<string, unknown> = { ...answer }
  if (Array.isArray(possible)) spelled['possible'] = possible.map((one) => name(String(one)))
  if (isObject(fix) && typeof fix['tool'] === 'string') {
    spelled['fix'] = { ...fix, tool: name(fix['tool']) }
  }
  if (Array.isArray(tools)) {
    spelled['tools'] = tools.map((tool) => ({ ...tool, name: name(tool.name) }))
  }
  for (const list of listsWithNames) {
    const entries = answer[list]
    if (Array.isArray(entries)) spelled[list] = entries.map((one) => withCallNames(one, name))
  }
  return spelled as T
}
