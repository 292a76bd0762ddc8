import type { Part } from '../source.ts'

/** The fault of a part, in words for its author: `html` `has an unknown tag`. */
export class SourceError extends Error {
  readonly part: Part

  constructor(part: Part, rule: string) {
    super(`${part} ${rule}`)
    this.part = part
  }
}
