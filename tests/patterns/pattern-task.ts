/** What is asked of the thread that runs patterns, and what it says. */
import type { HostileText } from './hostile-texts.ts'

export interface PatternTask {
  source: string
  flags: string
  /** Characters of its input at most. */
  most: number
}

export interface Slowest {
  ms: number
  length: number
  text: HostileText
}

export type PatternProgress =
  | { at: number; text: HostileText; length: number }
  | { at: number; done: Slowest }

/** Milliseconds of computing that a text may take: no linear pattern comes near. */
export function deadlineMs(length: number): number {
  return 500 + length / 2_000
}
