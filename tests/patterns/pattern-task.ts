/** The tasks and the messages of the thread that runs patterns. */
import type { HostileText } from './hostile-texts.ts'

export interface PatternTask {
  source: string
  flags: string
  /** The most characters of its input. */
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

/** The CPU milliseconds that a text may take; linear patterns need far less. */
export function deadlineMs(length: number): number {
  return 500 + length / 2_000
}
