/** The commands for backups: make, list, verify, prune and restore. */
import type { Command } from 'commander'

export function addBackups(crier: Command): void {
  crier
    .command('backup')
    .description('Back up the database beside the running service, and verify the copy.')
    .argument('[place]', 'a folder, or s3://bucket/prefix (default: BACKUP_TO)')
    .action(async (place: string | undefined) => {
      const { backup } = await import('../commands/operator/backups.ts')
      await backup(place)
    })

  const backups = crier.command('backups').description('The backups in BACKUP_TO.')
  backups
    .command('list')
    .description('List them, newest first.')
    .argument('[place]', 'a folder, or s3://bucket/prefix (default: BACKUP_TO)')
    .action(async (place: string | undefined) => {
      const { listBackups } = await import('../commands/operator/backups.ts')
      await listBackups(place)
    })

  backups
    .command('verify')
    .description('Start the database in a backup on a socket of its own, and check it.')
    .argument('<name>', 'as crier backups list names it')
    .action(async (name: string) => {
      const { verifyBackup } = await import('../commands/operator/backups.ts')
      await verifyBackup(name)
    })

  backups
    .command('prune')
    .description(
      'Keep the last good backup of each of seven days and of each of four weeks; remove the others.',
    )
    .option('--dry-run', 'only tell what would be removed')
    .action(async (options: { dryRun?: boolean }) => {
      const { pruneBackups } = await import('../commands/operator/backups.ts')
      await pruneBackups(options)
    })

  crier
    .command('restore')
    .description(
      'Restore a backup into DATA_DIR, which must not contain a database yet; a dump into the empty database of DATABASE_URL; the copy of a server into a new folder.',
    )
    .argument('<source>', 'a backup, or the folder or s3://bucket/prefix of all backups')
    .option('--at <time>', 'the time to restore to, such as 2026-11-24T09:30:00Z')
    .option('--to <folder>', 'of the copy of a server: the new data folder of that server')
    .action(async (source: string, options: { at?: string; to?: string }) => {
      const { restore } = await import('../commands/operator/backups.ts')
      await restore(source, options)
    })

  crier
    .command('upgrade-database')
    .description(
      'Convert the embedded database to the newest PostgreSQL at hand; the service must be stopped.',
    )
    .action(async () => {
      const { upgradeDatabase } = await import('../commands/operator/upgrade.ts')
      await upgradeDatabase()
    })

  const sending = crier.command('sending').description('Sending: paused by a restore or by hand.')
  sending
    .command('start')
    .description('Resume sending, which a restore paused, or that of one business.')
    .option('--business <id>', 'resume what `sending hold --business` stopped')
    .action(async (options: { business?: string }) => {
      const { startSending } = await import('../commands/operator/backups.ts')
      await startSending(options)
    })

  sending
    .command('hold')
    .description(
      'After a restore of the database of DATABASE_URL, before the service starts: apply the opt-outs of LEDGER_TO, pause campaigns, and send nothing yet. With --business: stop all sending of one business at once, while the service runs.',
    )
    .option('--business <id>', 'bus_…')
    .option('--with-messages', 'also what its connections and API keys send')
    .action(async (options: { business?: string; withMessages?: boolean }) => {
      const { holdSending } = await import('../commands/operator/backups.ts')
      await holdSending(options)
    })
}
