/** One command for each operation of the server, from the generated catalogue. */
import { type Command, Option } from 'commander'
import { commands } from './generated/commands.ts'
import { flagOf, type OperationCommand, type OperationOption } from './operation-command.ts'

// Spelt here as well: importing it from client.ts would load the SDK for `--help`.
const defaultUrl = 'http://localhost:8080'

const afterHelp = `
Arguments may also be given as key=value or key:=json, and all at once with --json.`

export function addOperationCommands(crier: Command): void {
  for (const noun of new Set(commands.map((command) => command.noun))) {
    const own = commands.filter((command) => command.noun === noun)
    const verbs = own.map(({ verb }) => verb).join(', ')
    const parent = crier.command(noun).description(`${verbs}.`)
    // The options of eighty operations take time to build that only one of them needs.
    if (!process.argv.some((word) => word === noun || word === `${noun}s`)) continue
    for (const operation of own) addOperation(parent, operation)
  }
}

function addOperation(parent: Command, operation: OperationCommand): void {
  const command = parent
    .command(operation.verb)
    .summary(operation.title)
    .description(operation.summary)
    .argument('[arguments...]', argumentsOf(operation))
    .option('--url <address>', "the server's address", process.env['CRIER_URL'] || defaultUrl)
    .option('--business <id>', 'the business to act in, bus_…')
    .option('--json <object>', 'arguments as a JSON object, or - to read it from stdin')
    .addHelpText('after', afterHelp)
  // One that has the name of an option above is left to key=value.
  const own = operation.options
    .filter(({ key }) => !['url', 'business', 'json'].includes(key))
    .map((option) => ({ option, flag: commanderOption(option) }))
  for (const { flag } of own) command.addOption(flag)
  command.action(async (words: string[], given: Record<string, unknown>) => {
    const { operate } = await import('./commands/operate.ts')
    const set = own.flatMap(({ option, flag }) => {
      const value = given[flag.attributeName()]
      return value === undefined ? [] : [{ option, words: value }]
    })
    const { url, business, json } = given as { url: string; business?: string; json?: string }
    await operate(operation, set, words, {
      url,
      ...(business !== undefined && { business }),
      ...(json !== undefined && { json }),
    })
  })
}

function argumentsOf({ options }: OperationCommand): string {
  const pairs = 'key=value, as JSON where it parses, or key:=json'
  const ids = options.flatMap(({ prefix }) => (prefix ? [`${prefix}_…`] : []))
  return ids.length > 0 ? `${[...new Set(ids)].join(' or ')} by itself; ${pairs}` : pairs
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
