/** A person at the app's page of connections: signs in by mail, reads, revokes. */
import { requestLink } from './sign-in.ts'
import { TinyBrowser } from './tiny-browser.ts'

interface Connection {
  connection_id: string
  code_reuses: { times: number }
}

/** Signs in to the web app and returns the connections that its page lists. */
export async function openConnections(
  url: string,
  email: string,
): Promise<[TinyBrowser, Connection[]]> {
  const browser = new TinyBrowser()
  await browser.open(await requestLink(browser, `${url}/b/connections`, { email }))
  const listed = await browser.visit(`${url}/v1/connections`)
  if (!listed.ok) throw new Error(`Not listed: ${listed.status} ${await listed.text()}`)
  const { connections } = (await listed.json()) as { connections: Connection[] }
  return [browser, connections]
}

/** Revokes every connection of the person, by the request that the page's button sends. */
export async function revokeInConnections(url: string, email: string): Promise<void> {
  const [browser, connections] = await openConnections(url, email)
  if (connections.length === 0) throw new Error('There is nothing to revoke.')
  const headers = { origin: new URL(url).origin }
  for (const { connection_id: id } of connections) {
    const sent = await browser.visit(`${url}/v1/connections/${id}`, { method: 'DELETE', headers })
    if (!sent.ok) throw new Error(`Not revoked: ${sent.status} ${await sent.text()}`)
  }
}
