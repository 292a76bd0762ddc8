import type { Config } from '../../config.ts'
import type { DomainSettings } from './domain.ts'

type DomainConfig = Pick<
  Config,
  | 'dnsZone'
  | 'bounceDomain'
  | 'spfMechanisms'
  | 'baseUrl'
  | 'dkimEd25519'
  | 'senderGate'
  | 'mailFrom'
>

/** The values that the operator's settings give every domain. */
export function domainSettingsOf(config: DomainConfig): DomainSettings {
  return {
    zone: config.dnsZone,
    bounceHost: config.bounceDomain,
    spf: config.spfMechanisms,
    trackingHost: new URL(config.baseUrl).hostname,
    ed25519: config.dkimEd25519,
    gate: config.senderGate,
    mailFrom: config.mailFrom,
  }
}
