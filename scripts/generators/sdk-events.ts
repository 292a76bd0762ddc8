/** sdk/src/generated/events.ts: the events of the feed and of webhooks as types. */
import { eventTypes } from 'crier-server/events/catalog.ts'
import { heading } from './catalog.ts'
import { comment, literal, type Schema, typeOf } from './schema-types.ts'

export async function sdkEvents(): Promise<string> {
  const data = eventTypes.map(({ type, fires, data }) => {
    const about = comment(`Fires when ${fires}.`, '  ')
    return `${about}  ${literal(type)}: ${typeOf(data as unknown as Schema, '  ')}\n`
  })
  return `${heading('the catalogue of events')}
/** What an event carries as \`data\`, by its type. */
export interface EventData {
${data.join('')}}

export type EventType = keyof EventData

/** An event as webhooks deliver it and \`meta.changes\` lists it. */
export type CrierEvent = {
  [T in EventType]: {
    /** The same wherever the event appears, and however often: evt_…. */
    id: string
    type: T
    /** ISO 8601, UTC. */
    created_at: string
    business_id: string
    data: EventData[T]
  }
}[EventType]
`
}
