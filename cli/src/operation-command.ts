/** An operation of the server as a command: `crier NOUN VERB --key value`. */

export interface OperationOption {
  /** The argument's name in the call. */
  key: string
  /** How its words become a value: `list` may be repeated, and `json` is written as JSON. */
  kind: 'text' | 'number' | 'flag' | 'list' | 'json'
  required?: boolean
  /** For `json`: words that are not JSON are its text, and may stand alone: a brief. */
  sentence?: boolean
  /** An id with this prefix, which may also stand alone: `crier campaign get cmp_…`. */
  prefix?: string
  choices?: readonly string[]
  about: string
}

export interface OperationCommand {
  noun: string
  verb: string
  title: string
  summary: string
  options: readonly OperationOption[]
}

/** `--idempotency-key` for `idempotency_key`. */
export function flagOf(key: string): string {
  return `--${key.replaceAll('_', '-')}`
}
