/** One line of `crier doctor`. */
export interface Finding {
  /** What was looked at, in a word or two. */
  check: string
  outcome: 'ok' | 'warn' | 'fail'
  /** What was found. */
  text: string
  /** What to do about it; absent where all is well. */
  mend?: string
}

export const ok = (check: string, text: string): Finding => ({ check, outcome: 'ok', text })

/** It works, yet something will bite later. */
export const warn = (check: string, text: string, mend: string): Finding => ({
  check,
  outcome: 'warn',
  text,
  mend,
})

/** The service does not start, or not safely. */
export const fail = (check: string, text: string, mend: string): Finding => ({
  check,
  outcome: 'fail',
  text,
  mend,
})
