/** Checks the settings, and reports every invalid one, not only the first. */

import { type Finding, fail, ok } from '../checks/finding.ts'
import { settings } from '../config/settings.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import type { Env } from './environment.ts'

export function readSettings(env: Env): { config?: Config; findings: Finding[] } {
  const names = settings.filter(({ name }) => env[name] !== undefined).map(({ name }) => name)
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('CRIER_') && !settings.some((setting) => setting.name === name),
  )
  const together = faultOf(env)
  if (together.length > 0) return { findings: allFaults(env, [...unknown, ...names], together) }
  const text = names.length === 0 ? 'all at their defaults' : `set: ${names.join(', ')}`
  return { config: readConfig(env), findings: [ok('settings', text)] }
}

/**
 * Each setting is read alone, because reading them together stops at the first error. One that goes
 * with others, such as RELAY_PROFILE with SMTP_URL, is read again with those that are valid.
 */
function allFaults(env: Env, names: readonly string[], together: Finding[]): Finding[] {
  const alone = names.filter((name) => faultOf({ [name]: env[name] }).length > 0)
  const valid = Object.fromEntries(Object.entries(env).filter(([name]) => !alone.includes(name)))
  const validFaults = faultOf(valid)
  const others = validFaults.length > 0 ? {} : valid
  const faults = alone.flatMap((name) => faultOf({ ...others, [name]: env[name] }))
  return faults.length + validFaults.length > 0 ? [...faults, ...validFaults] : together
}

function faultOf(env: Env): Finding[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const isInFile = error.message.startsWith('The file RELAYS')
    const mend = isInFile
      ? 'Fix the file. A running service keeps the relays that it read before.'
      : 'Change it in the environment or in .env.'
    return [fail('settings', error.message, mend)]
  }
}
