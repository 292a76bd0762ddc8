import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

/** Adds a redirect URI to the allow-list, for clients that register from then on. */
export async function allowClient(uri: string): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.allowRedirect(uri))))
}

export async function listClients(): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.listClients())))
}

/** Refuses an app, and ends its connections. */
export async function disableClients(target: string): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.disableClients(target))))
}

export async function enableClients(target: string): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.enableClients(target))))
}

export async function removeClients(target: string): Promise<void> {
  print(await onServer((server) => server.operate((operator) => operator.removeClients(target))))
}
