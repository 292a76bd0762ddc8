import { statfsSync } from 'node:fs'

/** Two files of PostgreSQL's log: with less it cannot go on for long, or start. */
const neededBytes = 32 * 1024 * 1024

/** Whether the disk of the folder has too little room for PostgreSQL. */
export function isDiskFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < neededBytes
  } catch {
    return false
  }
}
