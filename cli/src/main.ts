/** The command line's outermost layer: parse, run, report, exit code. */
import { CommanderError } from 'commander'
import { type ExitCode, exitCodes } from './exit-code.ts'
import { CommandError, report } from './failure.ts'
import { program } from './program/program.ts'

/** Runs one command line and returns the exit code. */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  process.stdout.on('error', stopAtBrokenPipe)
  try {
    await program().parseAsync(argv)
    // A command such as doctor sets its own exit code without throwing.
    return (process.exitCode as ExitCode | undefined) ?? exitCodes.ok
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(error)
    if (error.exitCode === 0) return exitCodes.ok
    // A command without its subcommand: commander has printed the help.
    if (error.code === 'commander.help') return exitCodes.usage
    return report(new CommandError('usage', error.message.replace(/^error: /, '')))
  }
}

/** The reader of the pipe has closed it, as `head` does, so there is no reader for more output. */
function stopAtBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit(exitCodes.ok)
}
