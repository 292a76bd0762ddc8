/** File systems in memory, which fill up at a known size. Only root may mount them. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'

/** Mounts the file system, or returns why that is not possible here. */
export function mountDisk(folder: string, megabytes: number): string | undefined {
  mkdirSync(folder, { recursive: true })
  try {
    const size = `size=${megabytes}m,mode=711`
    execFileSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    const why = String((error as { stderr?: Buffer }).stderr ?? error).trim()
    const text = `NOT TESTED: a full disk, since no file system can be mounted here: ${why}`
    if (process.env['CI']) throw new Error(text)
    process.stderr.write(`${text}\n`)
    return text
  }
}

export function unmountDisk(folder: string): void {
  execFileSync('/usr/bin/umount', ['--lazy', folder])
}

/** Leaves not one byte. */
export function fillUp(file: string): void {
  const handle = openSync(file, 'w')
  try {
    for (const block of [1 << 20, 4096]) {
      try {
        for (;;) writeSync(handle, Buffer.alloc(block))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    }
  } finally {
    closeSync(handle)
  }
}
