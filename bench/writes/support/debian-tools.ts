/** PostgreSQL's own clients, which the embedded server does not include: pgbench and psql. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, glob } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'

export type Tool = 'pgbench' | 'psql'

/** On the PATH, else the newest one where Debian installs them, outside of the PATH. */
async function find(tool: Tool): Promise<string> {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
  const debian = await Array.fromAsync(glob('/usr/lib/postgresql/*/bin'))
  for (const folder of [...folders, ...debian.toSorted().toReversed()]) {
    const file = path.join(folder, tool)
    // Debian's wrappers in /usr/bin are scripts in Perl that look for a cluster first.
    if (folder === '/usr/bin' && debian.length > 0) continue
    if (await access(file).then(yes, no)) return file
  }
  throw new Error(`${tool} is not installed: on Debian it comes with the package postgresql`)
}

const yes = () => true
const no = () => false

/** Returns the output; throws with the output where the program failed. */
export async function runTool(tool: Tool, args: string[], input = ''): Promise<string> {
  const child = spawn(await find(tool), args, { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(input)
  const [out, faults, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  if (code !== 0) throw new Error(`${tool} ended with ${code}: ${faults || out}`)
  return out
}
