import { once } from 'node:events'
import { createServer } from 'node:net'

/** Throws where no server can listen there now: the port is in use, or needs more rights. */
export async function tryListening(where: { host: string; port: number }): Promise<void> {
  const probe = createServer()
  try {
    probe.listen({ ...where, exclusive: true })
    await once(probe, 'listening')
  } finally {
    probe.close()
  }
}
