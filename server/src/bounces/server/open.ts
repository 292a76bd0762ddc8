import type { Config } from '../../config.ts'
import { serverCertificate } from '../../lib/email/inbound/certificate.ts'
import { type BounceServer, type BounceServerDeps, createBounceServer } from './server.ts'

export interface BounceServerParts extends Omit<BounceServerDeps, 'domain' | 'tls'> {
  config: Pick<Config, 'bounceDomain' | 'bounceCertificate' | 'dataDir'>
}

/** Opens the bounce server that the settings describe. */
export async function openBounceServer({
  config,
  db,
  vault,
  messages,
  clock,
  log,
}: BounceServerParts): Promise<BounceServer> {
  const { bounceDomain: domain, bounceCertificate: files, dataDir } = config
  const now = clock.now()
  const tls = await serverCertificate({ files, dataDir, fileName: 'bounce-tls.pem', domain, now })
  return createBounceServer({ db, vault, messages, clock, log, domain, tls })
}
