/**
 * A credential that is only shown on request. Its value is in a private
 * field, so `console.log`, `util.inspect`, `JSON.stringify` and string templates
 * all print a placeholder.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The credential itself. Keep it out of logs, messages and URLs. */
  reveal(): string {
    return this.#value
  }

  /** Whether both have the same value. */
  equals(other: Secret): boolean {
    return this.#value === other.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }
}
