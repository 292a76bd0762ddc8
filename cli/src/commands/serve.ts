import { onServer } from '../server.ts'

/** Runs the service until Ctrl-C or SIGTERM. What it prints is for the person who started it. */
export async function serve(options: { role?: string }): Promise<void> {
  await onServer((server) => server.serveHere(options, (line) => process.stdout.write(`${line}\n`)))
}
