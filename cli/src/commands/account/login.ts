import { openBrowser } from '../../browser.ts'
import { refuseWithKey, type ServerOptions, useServer, withoutSlash } from '../../client.ts'
import { print, say } from '../../output/output.ts'

export interface LoginOptions extends ServerOptions {
  scope?: string[]
  browser: boolean
}

/** Signs in through a browser. Without `--scope` it requests all scopes, and the person can untick some. */
export async function login({ scope, browser, ...server }: LoginOptions): Promise<void> {
  refuseWithKey()
  const status = await useServer(server, (client, signal) =>
    client.signIn({
      clientName: 'Crier command line',
      scopes: scope?.flatMap((word) => word.split(/[\s,]+/).filter(Boolean)) ?? 'all',
      signal,
      open(url) {
        say(`Open this address to sign in:\n\n  ${url}\n\nWaiting for you to finish there ...`)
        if (browser) openBrowser(url)
      },
    }),
  )
  print({ url: withoutSlash(server.server), state: status.state, scopes: status.scopes })
}
