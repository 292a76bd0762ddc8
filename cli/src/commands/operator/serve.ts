import { onServer } from '../../server.ts'

/**
 * Runs the service until Ctrl-C, SIGTERM or the end of its terminal. What it prints is for
 * the person who started it.
 */
export async function serve(options: { role?: string }): Promise<void> {
  outliveTheTerminal()
  await onServer((server) => server.serveHere(options, (line) => process.stdout.write(`${line}\n`)))
  // The stop is over; whatever would keep the process has been given up.
  process.exit()
}

/**
 * Writing to a terminal that was closed fails, as it does where the reader of a pipe has left.
 * That ends a client's command, but the service has its database to stop first.
 */
function outliveTheTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error').on('error', () => {})
  }
}
