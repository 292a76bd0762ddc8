/** The fault of a part or block, in words for its author: `html` `has an unknown tag`. */
export class SourceError extends Error {
  /** The field, such as `html` or `blocks[2].text`. */
  readonly place: string
  /** What is wrong, without the field. */
  readonly rule: string

  constructor(place: string, rule: string) {
    super(`${place} ${rule}`)
    this.place = place
    this.rule = rule
  }
}
