/**
 * Adds to a counter in a file, under the lock, in two steps between which another process could
 * run: `lock-child.ts NAME COUNTER TIMES`. With `hold` for TIMES it takes the lock, reports that
 * and never releases it.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { withFileLock } from '../src/tokens/file-lock.ts'

const [name = '', counter = '', times = ''] = process.argv.slice(2)

if (times === 'hold') {
  await withFileLock(name, () => {
    process.stdout.write('held\n')
    // Keeps the process alive until it is killed.
    setInterval(() => undefined, 1_000)
    return new Promise(() => undefined)
  })
}
for (let i = 0; i < Number(times); i++) {
  await withFileLock(name, async () => {
    const count = Number(await readFile(counter, 'utf8'))
    await new Promise(setImmediate)
    await writeFile(counter, String(count + 1))
  })
}
