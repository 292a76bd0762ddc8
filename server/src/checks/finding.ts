/** One line of `crier doctor`. */
export interface Finding {
  /** The name of the check, in a word or two. */
  check: string
  outcome: 'ok' | 'warn' | 'fail'
  /** The result. */
  text: string
  /** How to fix it. Absent if there is no problem. */
  mend?: string
}

export const ok = (check: string, text: string): Finding => ({ check, outcome: 'ok', text })

/** It works, but will cause a problem later. */
export const warn = (check: string, text: string, mend: string): Finding => ({
  check,
  outcome: 'warn',
  text,
  mend,
})

/** The service does not start, or is not safe to run. */
export const fail = (check: string, text: string, mend: string): Finding => ({
  check,
  outcome: 'fail',
  text,
  mend,
})
