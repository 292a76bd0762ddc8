/** Child processes of a test, and their output. */
import { type ChildProcess, spawn } from 'node:child_process'

export interface Child {
  process: ChildProcess
  /** Resolves with the first match in its output, or rejects when it ends without a match. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** All of its output; resolves when it has ended. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
}

/** Runs a TypeScript file of the tests with the same Node and conditions. */
export function runChild(
  file: URL,
  args: string[] = [],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Child {
  const flags = ['--conditions=crier-source', '--disable-warning=ExperimentalWarning']
  return runProgram(process.execPath, [...flags, file.pathname, ...args], options)
}

/** Runs any program, such as `python3`. */
export function runProgram(
  program: string,
  args: string[],
  { cwd, env }: { cwd?: string; env?: Record<string, string> } = {},
): Child {
  const stdio = ['pipe', 'pipe', 'pipe'] as const
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: [...stdio] })
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  return {
    process: child,
    ended: new Promise((resolve) => {
      child.on('close', (code) => resolve({ code, stdout, stderr }))
    }),
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(stdout)
          if (found) resolve(found)
        }
        child.stdout.on('data', look)
        child.on('close', () => reject(new Error(`ended without ${pattern}: ${stderr}`)))
        look()
      }),
  }
}
