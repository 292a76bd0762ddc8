/** Who did it, through what, and what it was, in words. */
import type { api } from '../../api/client.ts'
import { auditWords } from '../../words/audit.ts'

export type Entry = Awaited<ReturnType<typeof api.audit.list>>['entries'][number]

export const operationName = (operation: string) => auditWords.done[operation] ?? operation

/** A stranger chose the name of an app, so it may be long or empty. */
export function connectionName({
  connection_id,
  is_key,
  name,
}: NonNullable<Entry['connection']>): string {
  const short = name.length > 60 ? `${name.slice(0, 60)}…` : name || connection_id
  return is_key ? auditWords.key(short) : short
}

export function personName({ person }: Entry): string {
  const audit = auditWords
  return person === null ? audit.service : (person.email ?? audit.somebody)
}

export function throughName({ person, connection }: Entry): string | undefined {
  if (connection !== null) return connectionName(connection)
  return person === null ? undefined : auditWords.inApp
}

/** What it was done to: its name, or what it was where it is gone. A domain is its own name. */
export function subjectName({ subject, subject_name }: Entry): string | undefined {
  if (subject === null) return undefined
  if (subject_name !== null) return subject_name
  const { kinds, gone } = auditWords
  if (!/^[a-z]{3}_[0-9a-z]{26}$/.test(subject)) return subject
  const kind = kinds[subject.slice(0, 3)]
  return kind && withoutName.has(subject.slice(0, 3)) ? kind : kind && `${kind} (${gone})`
}

/** What has no name while it exists either. */
const withoutName = new Set(['msg', 'inv', 'mdt', 'img', 'rpl', 'prp', 'rmv', 'tgg', 'bus', 'cnx'])
