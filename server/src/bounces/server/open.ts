import type { Config } from '../../config.ts'
import { bounceCertificate } from './certificate.ts'
import { type BounceServer, type BounceServerDeps, createBounceServer } from './server.ts'

export interface BounceServerParts extends Omit<BounceServerDeps, 'domain' | 'tls'> {
  config: Pick<Config, 'bounceDomain' | 'bounceCertificate' | 'dataDir'>
}

/** The server for returning mail as the settings want it. */
export async function openBounceServer({
  config,
  ...deps
}: BounceServerParts): Promise<BounceServer> {
  const { bounceDomain: domain, bounceCertificate: files, dataDir } = config
  const tls = await bounceCertificate({ files, dataDir, domain, now: deps.clock.now() })
  return createBounceServer({ ...deps, domain, tls })
}
