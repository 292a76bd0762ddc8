/** Another node of a service: the same database, settings and secret, no shared memory. */
import { createApp } from 'crier-server/composition/app.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { freePort } from '../../support/network/port.ts'
import type { Service } from '../../support/processes/service.ts'
import { silentLog } from '../../support/silent-log.ts'

export interface SecondNode {
  /** The node's own tool-call endpoint. */
  endpoint: string
  close(): Promise<void>
}

export async function startSecondNode(of: Service, { idle = false } = {}): Promise<SecondNode> {
  const { config, db, vault } = of
  const app = createApp({ config, db, vault, clock: systemClock, log: silentLog })
  const port = await freePort()
  await app.server.listen({ port, host: '127.0.0.1' })
  if (!idle) await app.start()
  return {
    endpoint: of.endpoint.replace(`:${config.port}/`, `:${port}/`),
    close: () => app.stop(),
  }
}
