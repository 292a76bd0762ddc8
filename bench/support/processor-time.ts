import { readFileSync } from 'node:fs'

/** Ticks of a second in /proc, on every Linux that runs here. */
const ticks = 100

/** The processor time that a process has taken. Zero where it is gone, or there is no /proc. */
export function processorSeconds(pid: number): number {
  try {
    const [user, system] = afterName(readFileSync(`/proc/${pid}/stat`, 'utf8')).slice(11, 13)
    return (Number(user) + Number(system)) / ticks
  } catch {
    return 0
  }
}

/** The fields after the name of the program, which may have blanks. */
const afterName = (stat: string) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')
