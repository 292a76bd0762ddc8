import type { Command } from 'commander'
import { completions, type Shell } from '../../completions.ts'

/** Prints the script that makes a shell complete the words of this program. */
export function completion(shell: Shell, crier: Command): void {
  process.stdout.write(completions(shell, crier))
}
