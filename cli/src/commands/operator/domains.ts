import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

/** Always prints plain text, so that it can be redirected into a zone file. */
export async function printZone(): Promise<void> {
  const zone = await onServer((server) => server.operate((operator) => operator.printZone()))
  process.stdout.write(zone)
}

export async function changeKey(domain: string): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.changeKey(domain))))
}
