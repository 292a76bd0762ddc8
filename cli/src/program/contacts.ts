/** `crier contacts import FILE` and `crier contacts export`: files, in and out. */
import { type Command, Option } from 'commander'
import type { ExportOptions } from '../commands/calls/export-contacts.ts'
import type { ImportOptions } from '../commands/calls/import-contacts.ts'
import { addBusinessOption, addServerOption } from '../server-option.ts'

const afterImport = `
The file is checked first: what each column becomes, how many rows are valid, doubled and known.
Nothing is saved before you agree. Ctrl-C leaves an import that has begun to the server.

Examples:
  $ crier contacts import people.csv --tag moved
  $ crier contacts import people.csv --map Company=attributes.company --map Notes=
  $ crier contacts import people.csv --agreed "sign-up page" --words "Send me the newsletter"`

const afterExport = `
Examples:
  $ crier contacts export --out people.csv
  $ crier contacts export --segment seg_… --format ndjson | jq .email
  $ crier contacts export --filter '{"tag":"vip"}'`

export function addContactsCommands(crier: Command): void {
  const contacts = crier.command('contacts').description('Files of contacts: import, export.')
  const command = (name: string) => addBusinessOption(addServerOption(contacts.command(name)))
  command('import')
    .argument('<file>', 'a CSV file of up to 1 GB')
    .description('Import a file of contacts, after a look at what it would do.')
    .option(
      '--map <column=field>',
      'what a column becomes; nothing behind = leaves it out',
      collect,
    )
    .option('--tag <tag>', 'for everybody in the file, may be repeated', collect)
    .addOption(
      new Option('--mode <mode>', 'what happens to contacts that exist').choices([
        'update',
        'only_new',
        'fill_blanks',
      ]),
    )
    .option('--agreed <source>', 'where these people agreed to get email')
    .option('--words <text>', 'what they agreed to, word for word')
    .option('--encoding <name>', 'confirms an encoding that was guessed: windows-1252')
    .option('--yes', 'import without asking')
    .addHelpText('after', afterImport)
    .action(async (file: string, options: ImportOptions) => {
      const { importContacts } = await import('../commands/calls/import-contacts.ts')
      await importContacts(file, options)
    })
  command('export')
    .description('Export contacts as CSV or NDJSON, to a file or to stdout.')
    .option('--out <file>', 'where it goes; stdout without it')
    .addOption(new Option('--format <format>', 'csv or ndjson').choices(['csv', 'ndjson']))
    .option('--segment <id>', 'those in a segment, seg_…')
    .option('--filter <json>', 'those whom a filter fits')
    .addHelpText('after', afterExport)
    .action(async (options: ExportOptions) => {
      const { exportContacts } = await import('../commands/calls/export-contacts.ts')
      await exportContacts(options)
    })
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
