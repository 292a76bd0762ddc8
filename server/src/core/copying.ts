/** How objects of one business are copied into a new one. Each domain copies its own. */
import type { Id } from './ids.ts'

export const copiedKinds = ['settings', 'templates', 'forms', 'segments'] as const
export type CopiedKind = (typeof copiedKinds)[number]

export interface Copy {
  from: Id<'business'>
  /** The new business, which has nothing yet. */
  to: Id<'business'>
  now: Date
  /** The public id of each copy by that of its original. Each domain adds its own. */
  ids: Map<string, string>
}

/** Something that could not be copied. */
export interface LeftOut {
  kind: CopiedKind
  name: string
  why: 'names_campaign' | 'names_what_is_not_copied'
}

export interface Copied {
  count: number
  leftOut: LeftOut[]
}

/** The most objects of a kind that are copied, because one transaction copies them all. */
export const copyLimit = 1_000
