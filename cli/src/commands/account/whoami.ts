import { type ServerOptions, useServer, withoutSlash } from '../../client.ts'
import { print } from '../../output/output.ts'

/** Whether the connection works, what it may do, and in which businesses. */
export async function whoami(server: ServerOptions): Promise<void> {
  const url = withoutSlash(server.server)
  const about = await useServer(server, async (client, signal) => {
    // The call comes first: it proves that the connection works, and may renew what status() shows.
    const list = await client.call<{ businesses: unknown }>('business.list', {}, { signal })
    const { state, scopes } = await client.status()
    return { url, state, scopes, businesses: list.businesses }
  })
  print(about)
}
