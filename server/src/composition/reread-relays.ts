/** Follows a file RELAYS that was changed while the service runs. */
import { readRelaysFile } from '../config/relays.ts'
import { ConfigError } from '../config.ts'
import type { Relays } from '../messages/relays/relays.ts'
import type { AppParts } from './app-parts.ts'

export function rereadRelays(
  { config: { relaysFile }, log }: Pick<AppParts, 'config' | 'log'>,
  relays: Pick<Relays, 'follow'>,
): void {
  if (relaysFile === undefined) return
  try {
    const plan = readRelaysFile(relaysFile)
    relays.follow?.(plan)
    log.info({ relays: [...plan.relays.keys()] }, 'relays.reread')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // Its message names the place in the file, and repeats no value of it.
    log.error({ fault: error.message }, 'relays.kept')
  }
}
