/**
 * A reverse proxy before several nodes, as Caddy is by `deploy/Caddyfile`: it asks each for
 * `/readyz`, keeps connections open, and passes on to the next node what it could not connect for.
 */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Balancer {
  port: number
  /** Requests that no node answered, with what happened. */
  failed: string[]
  /** Answers of each node. */
  answers: number[]
  /** Whether the node of this place was ready when it was last asked. */
  isReady(place: number): boolean
  close(): Promise<void>
}

const askEveryMs = 200
const noConnection = new Set(['ECONNREFUSED'])

export async function startBalancer(nodes: readonly number[]): Promise<Balancer> {
  const agents = nodes.map(() => new http.Agent({ keepAlive: true }))
  const ready = nodes.map(() => false)
  const stopping = new AbortController()
  let turn = 0

  const ask = async () => {
    while (!stopping.signal.aborted) {
      const answers = nodes.map((port) =>
        fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1_000) }),
      )
      for (const [i, answer] of (await Promise.allSettled(answers)).entries()) {
        ready[i] = answer.status === 'fulfilled' && answer.value.ok
        if (answer.status === 'fulfilled') await answer.value.arrayBuffer()
      }
      await sleep(askEveryMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  /** Those that are ready in turn, and then the others. */
  const order = (): number[] => {
    turn++
    const places = nodes.map((_, i) => (i + turn) % nodes.length)
    return places.sort((a, b) => Number(ready[b]) - Number(ready[a]))
  }

  const pass = (place: number, incoming: http.IncomingMessage, body: Buffer) =>
    new Promise<http.IncomingMessage>((resolve, reject) => {
      const { method, url: path, headers } = incoming
      const { connection: _hop, ...passed } = headers
      const agent = agents[place]
      const target = { host: '127.0.0.1', port: nodes[place], method, path, headers: passed, agent }
      http.request(target, resolve).on('error', reject).end(body)
    })

  const balancer: Balancer = {
    port: 0,
    failed: [],
    answers: nodes.map(() => 0),
    isReady: (place) => ready[place] ?? false,
    async close() {
      stopping.abort()
      await asking
      for (const agent of agents) agent.destroy()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }

  const passOn = async (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => {
    const body = await buffer(incoming)
    let fault: unknown
    for (const place of order()) {
      try {
        const answer = await pass(place, incoming, body)
        balancer.answers[place] = (balancer.answers[place] ?? 0) + 1
        const { connection: _hop, ...headers } = answer.headers
        outgoing.writeHead(answer.statusCode ?? 502, headers)
        answer.on('error', () => outgoing.destroy()).pipe(outgoing)
        return
      } catch (error) {
        fault = error
        if (!noConnection.has((error as { code?: string }).code ?? '')) break
      }
    }
    balancer.failed.push(`${incoming.url}: ${(fault as Error | undefined)?.message}`)
    outgoing.writeHead(502).end()
  }

  const server = http.createServer((incoming, outgoing) => void passOn(incoming, outgoing))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  balancer.port = (server.address() as AddressInfo).port
  const asking = ask()
  return balancer
}
