/** `crier contacts import FILE` and `crier contacts export`. */
import { type Command, Option } from 'commander'
import type { ContactsExportOptions } from '../commands/calls/export-contacts.ts'
import type { ContactsOptions } from '../commands/calls/import-contacts.ts'
import { addBusinessOption, addServerOption } from '../server-option.ts'
import { collect } from './collect.ts'

const afterImport = `
The file is checked first: what each column becomes, how many rows are valid, duplicate or known.
Nothing is saved before you confirm. After Ctrl-C an import that has begun continues on the server.

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
    .description('Import a file of contacts, after showing what the import would do.')
    .option(
      '--map <column=field>',
      'the field that a column becomes; COLUMN= leaves the column out',
      collect,
    )
    .option('--tag <tag>', 'a tag for all contacts in the file; may be repeated', collect)
    .addOption(
      new Option('--mode <mode>', 'how existing contacts are changed').choices([
        'update',
        'only_new',
        'fill_blanks',
      ]),
    )
    .option('--agreed <source>', 'where these people agreed to get email')
    .option('--words <text>', 'the exact text that they agreed to')
    .option('--encoding <name>', 'encoding of a file that is not UTF-8, such as windows-1250')
    .option('--yes', 'import without asking')
    .addHelpText('after', afterImport)
    .action(async (file: string, options: ContactsOptions) => {
      const { importContacts } = await import('../commands/calls/import-contacts.ts')
      await importContacts(file, options)
    })
  command('export')
    .description('Export contacts as CSV or NDJSON, to a file or to stdout.')
    .option('--out <file>', 'the file to write (default: stdout)')
    .addOption(new Option('--format <format>', 'csv or ndjson').choices(['csv', 'ndjson']))
    .option('--excel', 'begin a CSV file with the byte order mark by which Excel knows UTF-8')
    .option('--segment <id>', 'only contacts in this segment, seg_…')
    .option('--filter <json>', 'only contacts that match this filter')
    .addHelpText('after', afterExport)
    .action(async (options: ContactsExportOptions) => {
      const { exportContacts } = await import('../commands/calls/export-contacts.ts')
      await exportContacts(options)
    })
}
