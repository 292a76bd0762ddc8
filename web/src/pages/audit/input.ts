import type { AuditFilters } from './search.ts'

/** The arguments of the operation for these filters. */
export function inputOf({ person, connection, operation, since, until }: AuditFilters) {
  return {
    ...(person !== undefined && { user_id: person }),
    ...(connection !== undefined && { connection_id: connection }),
    ...(operation !== undefined && { operation }),
    ...startOf('since', since, 0),
    // The last day is wholly in it.
    ...startOf('until', until, 1),
  }
}

/** The start of a day, or of one that many days later; nothing for a text that is no day. */
function startOf(name: 'since' | 'until', day: string | undefined, later: number) {
  if (day === undefined) return {}
  const moment = new Date(`${day}T00:00`)
  if (Number.isNaN(moment.getTime())) return {}
  moment.setDate(moment.getDate() + later)
  return { [name]: moment.toISOString() }
}
