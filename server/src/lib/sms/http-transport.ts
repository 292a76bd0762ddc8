/** The common part of providers over HTTP: requests that report how far they got. */

import { lazily } from '../concurrency/lazily.ts'
import type { OutboundFailure } from '../http-client/outbound-failure.ts'
import type { Outbound, OutboundAnswer, OutboundRequest } from '../http-client/outbound-fetch.ts'
import { parseAllowRule } from '../http-client/outbound-guard.ts'
import {
  type ConnectionPriority,
  createConnectionPriority,
} from '../transport/connection-priority.ts'
import type { SmsOptions } from './sms-url.ts'
import type { SmsSent } from './transport.ts'

export interface HttpLines {
  turns: ConnectionPriority
  origin: string
  ask(request: OutboundRequest): Promise<OutboundAnswer | SmsSent>
  close(): Promise<void>
}

/** The operator named this host, so it may be in one of our own networks. */
const everywhere = ['0.0.0.0/0:*', '::/0:*'].map(parseAllowRule).filter((rule) => !!rule)

export function createHttpLines(options: SmsOptions): HttpLines {
  const { host, port, secure, connections, silenceMs } = options
  const outbound = lazily(async (): Promise<Outbound> => {
    const [{ createOutbound }, { createGuard }] = await Promise.all([
      import('../http-client/outbound-fetch.ts'),
      import('../http-client/outbound-guard.ts'),
    ])
    const guard = createGuard({ allowHttp: !secure, rules: everywhere })
    return createOutbound({ guard, connections: connections + 1, maxOrigins: 1 })
  })
  const name = host.includes(':') ? `[${host}]` : host
  return {
    turns: createConnectionPriority(connections),
    origin: `${secure ? 'https' : 'http'}://${name}:${port}`,
    async ask(request) {
      const client = await outbound.get()
      const answer = await client.fetch({ deadlineMs: silenceMs, ...request })
      if (answer.outcome === 'failed') return lost(answer)
      return answer.complete
        ? answer
        : { result: 'unclear', fault: 'the answer of the provider broke off' }
    },
    close: () => outbound.ifMade((client) => client.close()),
  }
}

const neverConnected = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
])

function lost({ reason, code }: OutboundFailure): SmsSent {
  const before = reason === 'dns' || reason === 'tls' || reason === 'forbidden'
  if (before || neverConnected.has(code)) {
    return { result: 'untouched', fault: `the provider cannot be reached (${code})` }
  }
  return reason === 'timeout'
    ? { result: 'unclear', fault: 'the provider took too long' }
    : { result: 'unclear', fault: `the connection to the provider broke (${code})` }
}
