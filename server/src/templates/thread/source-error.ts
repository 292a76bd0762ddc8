/** The fault of a part or block, in words for its author: `html` `has an unknown tag`. */
export class SourceError extends Error {
  /** The field, such as `html` or `blocks[2].text`. */
  readonly place: string
  /** What is wrong, without the field. */
  readonly rule: string

  constructor(name: string, rule: string) {
    super(`${name} ${rule}`)
    this.place = name
    this.rule = rule
  }
}

/** Whether the stack overflowed, as it does on text that is nested thousands of levels deep. */
export function isTooDeep(error: unknown): boolean {
  // Libraries wrap it in errors of their own.
  return error instanceof Error && error.message.includes('Maximum call stack size exceeded')
}

/** What is wrong then, after the field. */
export const tooDeep =
  'is nested too deeply: close what is open, and put fewer tags, blocks or brackets into each other.'
