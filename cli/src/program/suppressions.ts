/** `crier suppressions import FILE` and `crier suppressions export`. */
import { type Command, Option } from 'commander'
import type { ExportOptions } from '../commands/calls/export-contacts.ts'
import type { SuppressionsOptions } from '../commands/calls/import-contacts.ts'
import { addBusinessOption, addServerOption } from '../server-option.ts'
import { collect } from './collect.ts'

const afterImport = `
Columns become email, phone, sha256 (of an address), reason or at. The file is checked first, and
nobody is suppressed before you confirm.

Examples:
  $ crier suppressions import unsubscribed.csv
  $ crier suppressions import bounces.csv --reason bounce --map Address=email`

const afterExport = `
Examples:
  $ crier suppressions export --out suppressions.csv`

const reasons = ['unsubscribed', 'complaint', 'bounce', 'manual']

export function addSuppressionsCommands(crier: Command): void {
  const suppressions = crier
    .command('suppressions')
    .description('Files of people who must not be written to: import, export.')
  const command = (name: string) => addBusinessOption(addServerOption(suppressions.command(name)))
  command('import')
    .argument('<file>', 'a CSV file of up to 1 GB')
    .description('Suppress the people in a file, after showing what the import would do.')
    .option(
      '--map <column=field>',
      'the field that a column becomes; COLUMN= leaves the column out',
      collect,
    )
    .addOption(
      new Option('--reason <reason>', 'the reason for rows that give none').choices(reasons),
    )
    .option('--encoding <name>', 'encoding of a file that is not UTF-8, such as windows-1250')
    .option('--yes', 'import without asking')
    .addHelpText('after', afterImport)
    .action(async (file: string, options: SuppressionsOptions) => {
      const { importSuppressions } = await import('../commands/calls/import-contacts.ts')
      await importSuppressions(file, options)
    })
  command('export')
    .description('Export the suppression list as CSV or NDJSON, to a file or to stdout.')
    .option('--out <file>', 'the file to write (default: stdout)')
    .addOption(new Option('--format <format>', 'csv or ndjson').choices(['csv', 'ndjson']))
    .option('--excel', 'begin a CSV file with the byte order mark by which Excel knows UTF-8')
    .addHelpText('after', afterExport)
    .action(async (options: ExportOptions) => {
      const { exportSuppressions } = await import('../commands/calls/export-contacts.ts')
      await exportSuppressions(options)
    })
}
