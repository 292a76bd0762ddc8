/** Receives the callback of a sign-in on this machine, `http://localhost:<port>/callback` (RFC 8252 section 7.3). */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CrierError } from '../errors/error.ts'
import { closingPage } from './closing-page.ts'

export interface Callback {
  query: URLSearchParams
  /** Shows the person how the sign-in ended: pass the error, or nothing after a success. */
  answer(error?: unknown): void
}

export interface Loopback {
  redirectUri: string
  /** The only callback that this listener accepts; rejects when the signal aborts. */
  callback(signal: AbortSignal): Promise<Callback>
  close(): Promise<void>
}

/**
 * Listens on both addresses that `localhost` may resolve to; otherwise another program
 * on the second one could receive the code.
 */
export async function listenOnLoopback(port = 0): Promise<Loopback> {
  let arrived: (callback: Callback) => void
  const first = new Promise<Callback>((resolve) => {
    arrived = resolve
  })
  let taken = false
  const handle = (method: string, target: string, response: ServerResponse): void => {
    const [path, ...query] = target.split('?')
    if (path !== '/callback' || method !== 'GET') {
      page(response, 404, 'Nothing here', 'This address only takes sign-ins.')
    } else if (taken) {
      page(response, 410, 'Already used', 'This sign-in was answered before. Close this window.')
    } else {
      taken = true
      const answer = (error: unknown): void => close(response, error)
      arrived({ query: new URLSearchParams(query.join('?')), answer })
    }
  }

  const { servers, port: chosen } = await listenTwice(port, handle)
  return {
    redirectUri: `http://localhost:${chosen}/callback`,
    callback: (signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(signal.reason as Error)
        if (signal.aborted) return stop()
        signal.addEventListener('abort', stop, { once: true })
        void first.then(resolve)
      }),
    close: async () => {
      await Promise.all(servers.map(shut))
    },
  }
}

type Handle = (method: string, target: string, response: ServerResponse) => void

async function listenTwice(
  port: number,
  handle: Handle,
): Promise<{ servers: Server[]; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const four = await listen('127.0.0.1', port, handle)
    const chosen = (four.address() as AddressInfo).port
    try {
      return { servers: [four, await listen('::1', chosen, handle)], port: chosen }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') {
        return { servers: [four], port: chosen }
      }
      await shut(four)
      // Another program has the port on ::1: use another port, unless the caller chose this one.
      if (code !== 'EADDRINUSE' || port !== 0 || attempt === 10) throw error
    }
  }
}

function listen(host: string, port: number, handle: Handle): Promise<Server> {
  const server = createServer((request, response) =>
    handle(request.method ?? '', request.url ?? '/', response),
  )
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => resolve(server))
  })
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
    // A request that never ends must not block the sign-in; the page is sent much earlier.
    setTimeout(() => server.closeAllConnections(), 1000).unref()
  })
}

function close(response: ServerResponse, error: unknown): void {
  if (error === undefined) {
    const text = 'You can close this window and go back to your program.'
    page(response, 200, 'You are signed in', text)
  } else {
    const reason = error instanceof CrierError ? error.message : 'The program tells you more.'
    page(response, 400, 'You are not signed in', reason)
  }
}

function page(response: ServerResponse, status: number, heading: string, text: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // The listener serves one response; a keep-alive connection would keep it open.
      connection: 'close',
    })
    .end(closingPage(heading, text))
}
