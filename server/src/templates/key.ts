/** The key of a template: a name by which programs address it in every environment. */
import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { templateLimits } from './source.ts'
import { type CompiledTemplate, findKey, lockKeys, updateKey } from './template.ts'

/** A key as a call gives it; null takes it away. */
export function readKey(key: string | undefined): string | null | undefined {
  if (key === undefined) return undefined
  if (key === '') return null
  if (/^[a-z0-9_-]+$/.test(key)) return key
  const text = `key must be 1 to ${templateLimits.keyLength} lower case letters, digits, - and _.`
  throw refuse('invalid_request', text, {
    field: 'key',
    data: { reason: 'wrong_key', limit: templateLimits.keyLength },
  })
}

interface KeyToGive {
  before: Pick<CompiledTemplate, 'id' | 'key'> | undefined
  /** Undefined leaves it as it is. */
  key: string | null | undefined
}

/** Refuses a key that another template of the business has. */
export async function refuseUsedKey(
  db: Db | Tx,
  businessId: Id<'business'>,
  { before, key }: KeyToGive,
): Promise<void> {
  if (typeof key !== 'string') return
  const holder = await findKey(db, businessId, key)
  if (holder === undefined || holder === before?.id) return
  const text = `Another template of this business has the key ${key}: choose another, or take it from that one first.`
  const fix = { tool: 'template.list', arguments: { template_id: formatId('template', holder) } }
  throw refuse('conflict', text, { field: 'key', fix, data: { reason: 'key_taken' } })
}

/** Runs first in a transaction that gives a key. */
export async function giveKey(tx: Tx, businessId: Id<'business'>, gift: KeyToGive): Promise<void> {
  const { before, key } = gift
  if (key === undefined || key === (before?.key ?? null)) return
  await lockKeys(tx, businessId)
  await refuseUsedKey(tx, businessId, gift)
  if (before) await updateKey(tx, businessId, { id: before.id, key })
}

/** Another business's key gets the same refusal as one that nobody has. */
export function noSuchKey(key: string, field: 'key' | 'template_key'): Refusal {
  return refuse('not_found', `This business has no template with the key ${key}.`, {
    field,
    fix: { tool: 'template.list', arguments: {} },
  })
}
