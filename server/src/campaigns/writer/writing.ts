/** Creates the writer of drafts. Its outbound requests can reach only its model. */
import type { Config } from '../../config.ts'
import { lazily } from '../../lib/concurrency/lazily.ts'
import {
  type AllowRule,
  createGuard,
  literalOf,
  parseAllowRule,
  type Resolve,
  targetOf,
} from '../../lib/http-client/outbound-guard.ts'
import type { Log } from '../../lib/process/log.ts'
import { createWriter, type Writer } from './writer.ts'

export interface Writing {
  writer: Writer
  close(): Promise<void>
}

export interface WritingDeps {
  log: Log
  resolve?: Resolve | undefined
}

/** The most drafts that wait for the model at once. */
const connections = 8

export function createWriting(
  { writer: settings, outboundAllow }: Pick<Config, 'writer' | 'outboundAllow'>,
  { log, resolve }: WritingDeps,
): Writing {
  const outbound = lazily(async () => {
    const { createOutbound } = await import('../../lib/http-client/outbound-fetch.ts')
    const rules = [...outboundAllow, ...(settings ? ownMachine(new URL(settings.url)) : [])]
    const allowHttp = settings?.url.startsWith('http:') ?? false
    const guard = createGuard({ rules, allowHttp, ...(resolve && { resolve }) })
    return createOutbound({ guard, connections, maxOrigins: 1 })
  })
  return {
    writer: createWriter({ settings, log, outbound: () => outbound.get() }),
    close: () => outbound.ifMade((client) => client.close()),
  }
}

/**
 * An operator who names a port of this machine has thereby allowed it. Any other address that is
 * not public requires OUTBOUND_ALLOW, since a name may resolve elsewhere tomorrow.
 */
function ownMachine(url: URL): AllowRule[] {
  const host = literalOf(url) ?? url.hostname
  if (!['localhost', '::1'].includes(host) && !host.startsWith('127.')) return []
  const { port } = targetOf(url)
  return [`127.0.0.0/8:${port}`, `[::1/128]:${port}`].flatMap((text) => parseAllowRule(text) ?? [])
}
