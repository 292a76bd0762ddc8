import type { Command } from 'commander'
import { completions, type Shell } from '../../completions.ts'

/** Prints the script for shell completion. */
export function completion(shell: Shell, crier: Command): void {
  process.stdout.write(completions(shell, crier))
}
