/** What the copy of another server is started with. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { detachedSettings } from './server-copy.ts'

test('a copy runs and loads nothing that the settings of the original name', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'server-copy-'))
  try {
    const settingsOf = (major: number) => detachedSettings(folder, undefined, major)
    const newest = await settingsOf(18)
    for (const name of [
      'archive_command',
      'archive_library',
      'archive_cleanup_command',
      'recovery_end_command',
      'restore_command',
      'ssl_passphrase_command',
      'shared_preload_libraries',
      'session_preload_libraries',
      'local_preload_libraries',
      'external_pid_file',
    ]) {
      assert.equal(newest[name], '', name)
    }
    const { jit, event_triggers, dynamic_library_path } = newest
    assert.deepEqual([jit, event_triggers, dynamic_library_path], ['off', 'off', '$libdir'])
    // A server does not start with a setting that it does not know.
    const later = ['archive_library', 'event_triggers']
    const laterOf = async (major: number) => {
      const settings = await settingsOf(major)
      return later.filter((name) => name in settings)
    }
    assert.deepEqual(await laterOf(14), [])
    assert.deepEqual(await laterOf(15), ['archive_library'])
    assert.deepEqual(await laterOf(16), ['archive_library'])
    assert.deepEqual(await laterOf(17), later)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
