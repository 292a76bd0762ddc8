export interface AuditFilters {
  person?: string
  connection?: string
  operation?: string
  /** Days, such as 2026-11-25, in the reader's time zone. */
  since?: string
  until?: string
}

export interface AuditSearch extends AuditFilters {
  /** The entry in the drawer. */
  open?: string
}

const names = ['person', 'connection', 'operation', 'since', 'until', 'open'] as const

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name]
      return typeof value === 'string' && value !== '' ? [[name, value]] : []
    }),
  )
}
