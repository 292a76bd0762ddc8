import { CommandError } from '../failure.ts'
import { flagOf, type OperationCommand, type OperationOption } from '../operation-command.ts'
import { type CallCommand, call } from './call.ts'

export interface GivenOption {
  option: OperationOption
  words: unknown
}

/** Calls an operation; options win over `key=value` words, and those over `--json`. */
export async function operate(
  { noun, verb }: OperationCommand,
  given: GivenOption[],
  words: string[],
  options: CallCommand,
): Promise<void> {
  const pairs = given.map(
    ({ option, words }) => `${option.key}:=${JSON.stringify(optionValue(option, words))}`,
  )
  await call(`${noun}.${verb}`, [...words, ...pairs], options)
}

/** The value that the words of an option stand for. */
function optionValue({ key, kind }: OperationOption, words: unknown): unknown {
  if (kind === 'number') {
    const value = Number(words)
    if (words === '' || !Number.isFinite(value)) {
      throw new CommandError('usage', `${flagOf(key)} takes a number, not "${String(words)}".`)
    }
    return value
  }
  if (kind !== 'json') return words
  try {
    return JSON.parse(String(words))
  } catch {
    throw new CommandError('usage', `${flagOf(key)} takes JSON, such as '{"key":"value"}'.`)
  }
}
