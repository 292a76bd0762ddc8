/** Prints errors on stderr, for a person or for a program, with a hint on how to fix them. */
import pc from 'picocolors'
import { type ExitCode, exitCodeOf } from './exit-code.ts'
import { printable } from './output/printable.ts'

/** The description of an error; the further keys are facts that a program can use. */
export interface ErrorDescription {
  code: string
  message: string
  /** The command or page that fixes it. */
  hint?: string
  [fact: string]: unknown
}

/** An error of the command line itself: wrong arguments, a missing answer. */
export class CommandError extends Error {
  readonly code: string
  readonly facts: Record<string, unknown>

  constructor(code: string, message: string, facts: Record<string, unknown> = {}) {
    super(message)
    this.code = code
    this.facts = facts
  }

  toJSON(): ErrorDescription {
    return { code: this.code, message: this.message, ...this.facts }
  }
}

/** Prints the error and returns the exit code. */
export function report(error: unknown, stream: NodeJS.WriteStream = process.stderr): ExitCode {
  const told = tell(error)
  stream.write(`${stream.isTTY ? forPeople(told) : JSON.stringify(told)}\n`)
  return exitCodeOf(told.code)
}

/** The errors of the SDK and of the command line have a `toJSON` with the facts to print. */
function tell(error: unknown): ErrorDescription {
  const { toJSON, message, code } = error as Partial<CommandError>
  const told =
    typeof toJSON === 'function'
      ? toJSON.call(error as CommandError)
      : { code: 'failed', message: message ?? String(error), ...(code && { cause: code }) }
  const hint = told.hint ?? (told.code === 'usage' ? 'crier --help' : hintFromFix(told['fix']))
  return hint === undefined ? told : { ...told, hint }
}

/** The server's fix as a command to type or a page to open. An invalid name is not repeated. */
function hintFromFix(fix: unknown): string | undefined {
  const { url, tool, arguments: args = {} } = (fix ?? {}) as Record<string, unknown>
  if (typeof url === 'string') return url
  if (typeof tool !== 'string' || !/^[\w.]+$/.test(tool)) return undefined
  return `crier call ${tool} --json '${JSON.stringify(args).replaceAll("'", String.raw`'\''`)}'`
}

function forPeople({ message, code, hint, request_id: id, field }: ErrorDescription): string {
  const about = [code, field, id].filter((part) => typeof part === 'string').join(' · ')
  const lines = [`${pc.red('✕')} ${printable(message)}`, pc.dim(`  ${printable(about)}`)]
  if (hint) lines.push(`  ${pc.cyan(printable(hint))}`)
  return lines.join('\n')
}
