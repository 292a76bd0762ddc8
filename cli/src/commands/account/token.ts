import { type ServerOptions, useServer } from '../../client.ts'

/** A fresh access token of this machine's connection, by itself on a line: for curl. */
export async function token(server: ServerOptions): Promise<void> {
  const fresh = await useServer(server, (client, signal) => client.accessToken({ signal }))
  process.stdout.write(`${fresh.reveal()}\n`)
}
