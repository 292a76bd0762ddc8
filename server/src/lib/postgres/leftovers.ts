/**
 * Incomplete folders contain the pid of their maker in the name, so that a later start can
 * distinguish those of a crashed process from those that another one is making now.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

const making = new Set<string>()

/** A name in `home` for a folder that is made and then renamed: `data.new.4711-9f3c`. */
export function partialName(home: string, name: string): string {
  const file = path.join(home, `${name}.new.${process.pid}-${randomBytes(4).toString('hex')}`)
  making.add(file)
  return file
}

export function removeLeftovers(home: string): void {
  for (const name of readdirSync(home)) {
    const pid = /\.new\.(\d+)-[0-9a-f]+$/.exec(name)?.[1]
    const file = path.join(home, name)
    // Containers assign the same pid again and again, so our own pid proves nothing.
    const alive = Number(pid) === process.pid ? making.has(file) : isAlive(Number(pid))
    if (pid && !alive) rmSync(file, { recursive: true, force: true, maxRetries: 3 })
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
