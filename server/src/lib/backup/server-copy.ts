/** How a copy of an operator's own server is started beside it, without touching anything of the original. */
import { chown, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Account } from '../postgres/account.ts'
import type { Settings } from '../postgres/server.ts'

/**
 * Settings that stand above those within the copy. The files of the original may lie elsewhere, as on Debian, and
 * what ALTER SYSTEM set there would archive the copy's log into the original's archive.
 */
export async function detachedSettings(
  folder: string,
  account: Account | undefined,
): Promise<Settings> {
  const file = async (name: string, text: string) => {
    const at = path.join(folder, name)
    await writeFile(at, text, { mode: 0o600 })
    if (account) await chown(at, account.uid, account.gid)
    return at
  }
  return {
    config_file: await file('postgresql.conf', ''),
    hba_file: await file('pg_hba.conf', 'local all all trust\n'),
    ident_file: await file('pg_ident.conf', ''),
    archive_mode: 'off',
    archive_command: '',
    restore_command: '',
    primary_conninfo: '',
    shared_preload_libraries: '',
    ssl: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
    shared_buffers: '128MB',
    huge_pages: 'try',
    synchronous_standby_names: '',
  }
}
