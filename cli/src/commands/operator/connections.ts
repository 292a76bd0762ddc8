import { confirmed } from '../../ask.ts'
import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

export async function listConnections(): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.listConnections())))
}

/** Ends a connection: its next call gets a 401. Nobody is notified. */
export async function revokeConnection(id: string, options: { yes?: boolean }): Promise<void> {
  await confirmed(`${id} stops working at once, and cannot be restored.`, options.yes)
  print(await onServer((server) => server.operate((operator) => operator.revokeConnection(id))))
}
