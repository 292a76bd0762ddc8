import { refuseWithKey, type ServerOptions, useServer, withoutSlash } from '../../client.ts'
import { print } from '../../output/output.ts'

/** Ends the connection at the server, and deletes it here even if the server does not answer. */
export async function logout(server: ServerOptions): Promise<void> {
  refuseWithKey()
  const revoked = await useServer(server, (client, signal) => client.signOut({ signal }))
  print({ url: withoutSlash(server.server), state: 'signed_out', revoked })
}
