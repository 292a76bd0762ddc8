/** The children of a process, by its pid. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export async function childrenOf(parent: number): Promise<number[]> {
  const all = process.platform === 'linux' ? await fromProc() : await fromPs()
  return all.filter(([, of]) => of === parent).map(([pid]) => pid)
}

type Pair = [pid: number, parent: number]

async function fromProc(): Promise<Pair[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const pairs = await Promise.all(
    pids.map(async (pid): Promise<Pair[]> => {
      // A process that has ended has no file; a name may contain anything, and ends with `)`.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return parent === undefined ? [] : [[Number(pid), Number(parent)]]
    }),
  )
  return pairs.flat()
}

async function fromPs(): Promise<Pair[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as Pair)
}
