import type { api } from '../../api/client.ts'

export type Settings = Awaited<ReturnType<typeof api.business.get>>
export type Changes = Omit<
  NonNullable<Parameters<typeof api.business.save>[0]>,
  'business_id' | 'if_version' | 'idempotency_key'
>
export type Stored = Required<Changes>

/** What each card of the page gets. */
export interface PartProps {
  settings: Settings
  changes: Changes
  setChanges: (changes: Changes) => void
  fault: (field: string) => string | undefined
}
