/** How a copy of an operator's own server is started beside it, without touching anything of the original. */
import { chown, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Account } from '../postgres/account.ts'
import type { Settings } from '../postgres/server.ts'

/**
 * Settings that stand above those within the copy. The files of the original may lie elsewhere, as on Debian, and
 * what ALTER SYSTEM set there would archive the copy's log into the original's archive. Nor does the copy run or load
 * what that server's superuser named, as far as settings name it; `major` is its version of PostgreSQL.
 */
export async function detachedSettings(
  folder: string,
  account: Account | undefined,
  major: number,
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
    archive_cleanup_command: '',
    recovery_end_command: '',
    restore_command: '',
    ...(major >= 15 && { archive_library: '' }),
    primary_conninfo: '',
    shared_preload_libraries: '',
    session_preload_libraries: '',
    local_preload_libraries: '',
    dynamic_library_path: '$libdir',
    jit: 'off',
    ...(major >= 17 && { event_triggers: 'off' }),
    external_pid_file: '',
    ssl_passphrase_command: '',
    ssl: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
    shared_buffers: '128MB',
    huge_pages: 'try',
    synchronous_standby_names: '',
  }
}
