/** No line to the next hop could be opened. Nothing was sent. */
export class Unreachable extends Error {
  override name = 'Unreachable'
  /** What the next hop said, where it said something. */
  readonly words: string | undefined
  readonly code: string

  constructor(code: string, words?: string) {
    super('the next hop cannot be reached')
    this.code = code
    this.words = words
  }
}
