/**
 * Loaded by every test: ends a file that runs for longer than any should. The runner's own time
 * limit fails a test but lets its file go on for as long as anything in it waits, which can be
 * forever.
 */
import { isMainThread } from 'node:worker_threads'

const limitMs = Number(process.env['TEST_FILE_LIMIT_MS'] ?? 15 * 60_000)

if (isMainThread && process.env['NODE_TEST_CONTEXT'] !== undefined) {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ')
    process.stderr.write(`${process.argv[1]} did not end within ${limitMs} ms. Open: ${open}\n`)
    process.exit(1)
  }, limitMs).unref()
}
