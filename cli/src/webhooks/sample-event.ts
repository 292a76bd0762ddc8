/** Creates an event of a type with the caller's changes. */
import type { CrierEvent } from '@crier-mail/sdk'
import { CommandError } from '../failure.ts'
import { eventSamples } from '../generated/event-samples.ts'
import { newId } from './new-id.ts'

const sampleBusiness = 'bus_01k9rv0c6e1t7yhs4m8pgq2x5d'

/** `changes` override the sample, key by key; `fields.email` sets a key of an inner object. */
export function sampleEvent(
  type: string,
  changes: Record<string, unknown>,
  business_id = sampleBusiness,
): CrierEvent {
  const data = structuredClone(eventSamples[type] ?? {})
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.')
    const known = Object.keys(data)
    if (!known.includes(keys[0] ?? '')) {
      const message = `The data of ${type} has no "${keys[0]}". It has ${known.join(', ')}.`
      throw new CommandError('usage', message)
    }
    put(data, keys, value)
  }
  const created_at = new Date().toISOString()
  return { id: newId('evt'), type, created_at, business_id, data } as unknown as CrierEvent
}

function put(into: Record<string, unknown>, [key = '', ...deeper]: string[], value: unknown): void {
  if (deeper.length === 0) {
    into[key] = value
    return
  }
  const inside = Object.hasOwn(into, key) ? into[key] : {}
  if (typeof inside !== 'object' || inside === null || Array.isArray(inside)) {
    throw new CommandError('usage', `"${key}" is no object, so it has no "${deeper.join('.')}".`)
  }
  into[key] = inside
  put(inside as Record<string, unknown>, deeper, value)
}
