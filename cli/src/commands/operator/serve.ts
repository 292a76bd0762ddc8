import { onServer } from '../../server.ts'

/**
 * Runs the service until Ctrl-C, SIGTERM or the end of its terminal. The output is for
 * the person who started it.
 */
export async function serve(options: { role?: string }): Promise<void> {
  outliveTheTerminal()
  await onServer((server) => server.serveHere(options, (line) => process.stdout.write(`${line}\n`)))
  // The service has stopped; anything that still keeps the process alive is abandoned.
  process.exit()
}

/**
 * Writing to a closed terminal fails, and so does writing to a pipe whose reader has exited.
 * This may end a client's command, but the service must stop its database first.
 */
export function outliveTheTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error').on('error', () => {})
  }
}
