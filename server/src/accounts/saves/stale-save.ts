/** Saves that name the version they were made from, and are refused if another was saved since. */

import { isDeepStrictEqual } from 'node:util'
import { type Fix, type Refusal, refuse } from '../../core/errors.ts'
import type { Principal } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { lastSaveOf, type SavedObject } from './last-save.ts'

export const ifVersionInput = Type.Optional(Type.Integer())

export interface VersionedSave {
  /** What is saved, such as `form`. */
  noun: string
  object: SavedObject
  ifVersion: number | undefined
  /** The version that is stored now. */
  version: number
  /** The fields of the call, by their paths. */
  yours: Readonly<Record<string, unknown>>
  /** The same fields as they are stored now. */
  theirs: Readonly<Record<string, unknown>>
  /** The call that reads the object. */
  fix: Fix
}

/**
 * The refusal of a save that was made from another version than the stored one; undefined if it may
 * be saved. A save whose every field is stored already is let through: it is the repetition of one
 * whose answer was lost.
 */
export async function refuseStale(
  db: Db,
  principal: Principal,
  { noun, object, ifVersion, version, yours, theirs, fix }: VersionedSave,
): Promise<Refusal | undefined> {
  if (ifVersion === undefined || ifVersion === version) return undefined
  const differing = Object.keys(yours).filter(
    (field) => !isDeepStrictEqual(yours[field], theirs[field]),
  )
  if (differing.length === 0) return undefined
  const differs = Object.fromEntries(
    differing.map((field) => [field, { yours: yours[field], theirs: theirs[field] ?? null }]),
  )
  const saved = await lastSaveOf(db, principal, object)
  const text = `The ${noun} is at version ${version} now; this save was made from version ${ifVersion}. Nothing was saved: compare both in differs, then save with if_version ${version}.`
  return refuse('conflict', text, {
    field: 'if_version',
    data: { reason: 'changed_meanwhile', version, differs, ...(saved && { saved }) },
    fix,
  })
}

/** The refusal of a version given with a new object. */
export function versionOfNothing(noun: string): Refusal {
  const text = `if_version is for changing a ${noun}: a new one has no version yet.`
  return refuse('invalid_request', text, {
    field: 'if_version',
    data: { reason: 'changed_meanwhile' },
  })
}
