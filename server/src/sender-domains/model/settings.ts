import { profileOf } from '../../config/relay-profiles.ts'
import { relaysIn } from '../../config/relays.ts'
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
  | 'smtpUrl'
  | 'relayProfile'
  | 'relays'
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
    ...ofRelays(config),
  }
}

/** Has every domain asked for the records that relays need which the operator names now. */
export function followRelays(
  settings: DomainSettings,
  config: Parameters<typeof relaysIn>[0],
): void {
  Object.assign(settings, ofRelays(config))
}

/** A relay whose profile is not named counts as one's own. */
function ofRelays(
  config: Parameters<typeof relaysIn>[0],
): Pick<DomainSettings, 'ownReturnPath' | 'providers' | 'staysHere'> {
  const profiles = relaysIn(config).map(({ profile }) => profileOf(profile ?? 'own'))
  const needs = profiles.flatMap(({ title, records }) => (records ? [`${title} (${records})`] : []))
  return {
    ownReturnPath: profiles.length === 0 || profiles.some(({ keepsReturnPath }) => keepsReturnPath),
    providers: [...new Set(needs)],
    staysHere: profiles.length === 0,
  }
}
