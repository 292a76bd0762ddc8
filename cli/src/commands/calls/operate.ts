import { fileOr } from '../../arguments.ts'
import { CommandError } from '../../failure.ts'
import { flagOf, type OperationCommand, type OperationOption } from '../../operation-command.ts'
import { type CallCommand, call } from './call.ts'

export interface GivenOption {
  option: OperationOption
  words: unknown
}

/** Calls an operation. Options override `key=value` words, which override `--json`. */
export async function operate(
  { noun, verb, options: takes }: OperationCommand,
  given: GivenOption[],
  words: string[],
  options: CallCommand,
): Promise<void> {
  const pairs = given.map(
    ({ option, words }) => `${option.key}:=${JSON.stringify(optionValue(option, words))}`,
  )
  const set = new Set(given.map(({ option }) => option.key))
  const ids = takes.filter(({ key, prefix }) => prefix && !set.has(key))
  const sentence = takes.find(({ key, sentence }) => sentence && !set.has(key))
  const named = words.map((word) => {
    // An argument that is neither an id nor key=value is the sentence.
    if (sentence && /^\S+\s/.test(word) && !/^[^=:\s]+:?=/.test(word)) {
      return `${sentence.key}:=${JSON.stringify(word)}`
    }
    return nameId(word, ids, `${noun} ${verb}`)
  })
  await call(`${noun}.${verb}`, [...named, ...pairs], options)
}

/** The prefix of an id without a key decides which argument it is. */
function nameId(word: string, ids: OperationOption[], command: string): string {
  const [, prefix] = /^([a-z]{3})_[0-9a-z]{26}$/.exec(word) ?? []
  if (prefix === undefined) return word
  const at = ids.findIndex((option) => option.prefix === prefix)
  const [option] = at < 0 ? [] : ids.splice(at, 1)
  if (option) return `${option.key}:=${JSON.stringify(word)}`
  const others = ids.map(({ key, prefix }) => `${key} (${prefix}_…)`).join(', ')
  throw new CommandError(
    'usage',
    `"crier ${command}" takes ${others || 'no id'} here, not "${word}".`,
  )
}

/** Converts the words of an option to its value. */
function optionValue({ key, kind, sentence }: OperationOption, words: unknown): unknown {
  if (kind === 'number') {
    const value = Number(words)
    if (words === '' || !Number.isFinite(value)) {
      throw new CommandError('usage', `${flagOf(key)} must be a number, not "${String(words)}".`)
    }
    return value
  }
  if (kind === 'flag') return words
  if (kind === 'list') return (words as string[]).map(fileOr)
  const text = fileOr(String(words))
  if (kind === 'text') return text
  try {
    return JSON.parse(text)
  } catch {
    if (sentence) return text
    throw new CommandError('usage', `${flagOf(key)} must be JSON, such as '{"key":"value"}'.`)
  }
}
