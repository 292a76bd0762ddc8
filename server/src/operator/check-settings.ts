/** Checks the settings, and reports every invalid one, not only the first. */
import { settings } from '../config/settings.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import type { Env } from './environment.ts'
import { type Finding, fail, ok } from './finding.ts'

export function readSettings(env: Env): { config?: Config; findings: Finding[] } {
  const known = settings.filter(({ name }) => env[name] !== undefined).map(({ name }) => name)
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('CRIER_') && !settings.some((setting) => setting.name === name),
  )
  // Each setting is read alone, because reading them together stops at the first error.
  const faults = [...unknown, ...known].flatMap((name) => faultOf({ [name]: env[name] }))
  if (faults.length > 0) return { findings: faults }
  const together = faultOf(env)
  if (together.length > 0) return { findings: together }
  const text = known.length === 0 ? 'all at their defaults' : `set: ${known.join(', ')}`
  return { config: readConfig(env), findings: [ok('settings', text)] }
}

function faultOf(env: Env): Finding[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [fail('settings', error.message, 'Change it in the environment or in .env.')]
  }
}
