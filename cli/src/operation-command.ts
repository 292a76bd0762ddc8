/** An operation of the server as a command: `crier NOUN VERB --key value`. */

export interface OperationOption {
  /** The argument's name in the call. */
  key: string
  /** How its words become a value: `list` is given several times, `json` is written as JSON. */
  kind: 'text' | 'number' | 'flag' | 'list' | 'json'
  required?: boolean
  /** Of `json`: words that are no JSON are its text, and may also stand alone: a brief. */
  sentence?: boolean
  /** It takes an id that begins so, which may also stand alone: `crier campaign get cmp_…`. */
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
