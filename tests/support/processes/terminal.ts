/** A terminal in which one program runs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { childrenOf } from '../../crash/support/process-tree.ts'

export interface Terminal {
  /** The program's pid, which is also its process group. */
  program(): Promise<number>
  /** The output so far. */
  shown(): string
  /** Presses the key; the terminal signals all processes in its foreground. */
  pressCtrlC(): void
  close(): void
  /** Returns the program's exit code, or nothing if the terminal was closed. */
  readonly ended: Promise<number | null>
}

export const python = '/usr/bin/python3'
const script = path.join(import.meta.dirname, 'terminal.py')

export interface TerminalOptions {
  cwd: string
  env: Record<string, string | undefined>
}

export async function openTerminal(
  command: readonly string[],
  options: TerminalOptions,
): Promise<Terminal> {
  const terminal = spawn(python, [script, ...command], {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(terminal, 'exit').then(([code]) => code as number | null)
  let shown = ''
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  terminal.stdin.on('error', () => {})
  await once(terminal, 'spawn')
  return {
    async program() {
      const [pid] = await childrenOf(terminal.pid ?? 0)
      if (pid === undefined) throw new Error(`${command.join(' ')} does not run: ${shown}`)
      return pid
    },
    shown: () => shown,
    pressCtrlC: () => void terminal.stdin.write('\x03'),
    close: () => void terminal.kill('SIGKILL'),
    ended,
  }
}
