/** One command for each operation of the server, from the generated catalogue. */
import { type Command, Option } from 'commander'
import type { CallCommand } from '../commands/calls/call.ts'
import { extraOptions } from '../extra-options.ts'
import { commands } from '../generated/commands.ts'
import { flagOf, type OperationCommand, type OperationOption } from '../operation-command.ts'
import { addBusinessOption, addServerOption } from '../server-option.ts'

/** Options that every command has. An argument with one of these names can be given as key=value. */
const ownOptions = ['server', 'business', 'json', 'full']

const afterHelp = `
Arguments can also be given as key=value or key:=json, or together as an object with --json.
A value @FILE is the content of that file, such as --html @mail.html; @- is stdin, and @@text is @text.`

export function addOperationCommands(crier: Command): void {
  for (const noun of new Set(commands.map((command) => command.noun))) {
    const own = commands.filter((command) => command.noun === noun)
    const verbs = own.map(({ verb }) => verb).join(', ')
    const parent = crier.command(noun).description(`${verbs}.`)
    // Only one command runs, so the options of all others need not be built.
    const wanted = ['completion', noun, `${noun}s`]
    if (!process.argv.some((word) => wanted.includes(word))) continue
    for (const operation of own) addOperation(parent, withExtras(operation))
  }
}

function withExtras(operation: OperationCommand): OperationCommand {
  const extras = extraOptions[`${operation.noun} ${operation.verb}`] ?? []
  return { ...operation, options: [...operation.options, ...extras] }
}

function addOperation(parent: Command, operation: OperationCommand): void {
  const command = addBusinessOption(addServerOption(parent.command(operation.verb)))
    .summary(operation.title)
    .description(operation.summary)
    .argument('[arguments...]', argumentsOf(operation))
    .option('--json <object>', 'arguments as a JSON object, or - to read it from stdin')
    .option('--full', 'on a terminal, show long texts in full')
    .addHelpText('after', afterHelp)
  const own = operation.options
    .filter(({ key }) => !ownOptions.includes(key))
    .map((option) => ({ option, flag: commanderOption(option) }))
  for (const { flag } of own) command.addOption(flag)
  command.action(async (words: string[], given: Record<string, unknown>) => {
    const { operate } = await import('../commands/calls/operate.ts')
    const set = own.flatMap(({ option, flag }) => {
      const value = given[flag.attributeName()]
      return value === undefined ? [] : [{ option, words: value }]
    })
    const { server, business, json, full } = given as unknown as CallCommand
    await operate(operation, set, words, {
      server,
      ...(business !== undefined && { business }),
      ...(json !== undefined && { json }),
      ...(full && { full }),
    })
  })
}

function argumentsOf({ options }: OperationCommand): string {
  const pairs = 'key=value, read as JSON if possible, or key:=json'
  const ids = options.flatMap(({ prefix }) => (prefix ? [`${prefix}_…`] : []))
  const sentence = options.find((option) => option.sentence)
  const alone = [...new Set(ids), ...(sentence ? [`a sentence as ${sentence.key}`] : [])]
  return alone.length > 0 ? `${alone.join(' or ')} by itself; ${pairs}` : pairs
}

const shapes = { text: ' <text>', number: ' <n>', flag: '', list: ' <text>', json: ' <json>' }

function commanderOption(option: OperationOption): Option {
  const { key, kind, required, choices } = option
  const notes = [option.about, ...(required ? ['Required.'] : [])]
  if (kind === 'list') notes.push('May be repeated.')
  const made = new Option(`${flagOf(key)}${shapes[kind]}`, notes.filter(Boolean).join(' '))
  if (kind === 'list') return made.argParser(collect)
  return choices ? made.choices(choices) : made
}

function collect(word: string, before: string[] | undefined): string[] {
  return before ? [...before, word] : [word]
}
