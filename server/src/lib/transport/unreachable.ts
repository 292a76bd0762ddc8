/** No connection to the next hop could be opened. Nothing was sent. */
export class Unreachable extends Error {
  override name = 'Unreachable'
  /** The next hop's own text, if there was any. */
  readonly words: string | undefined
  readonly code: string

  constructor(code: string, words?: string) {
    super('the next hop cannot be reached')
    this.code = code
    this.words = words
  }
}
