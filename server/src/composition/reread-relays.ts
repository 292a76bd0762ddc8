/** Follows a file RELAYS that was changed while the service runs. */
import { readRelaysFile } from '../config/relays.ts'
import { ConfigError } from '../config.ts'
import type { Relays } from '../messages/relays/relays.ts'
import type { DomainSettings } from '../sender-domains/model/domain.ts'
import { followRelays } from '../sender-domains/model/settings.ts'
import type { AppParts } from './app-parts.ts'

export function rereadRelays(
  { config, log }: Pick<AppParts, 'config' | 'log'>,
  { relays, settings }: { relays: Pick<Relays, 'follow'>; settings: DomainSettings },
): void {
  const { relaysFile } = config
  if (relaysFile === undefined) return
  try {
    const plan = readRelaysFile(relaysFile)
    relays.follow?.(plan)
    followRelays(settings, { ...config, relays: plan })
    log.info({ relays: [...plan.relays.keys()] }, 'relays.reread')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // Its message names the place in the file, and repeats no value of it.
    log.error({ fault: error.message }, 'relays.kept')
  }
}
