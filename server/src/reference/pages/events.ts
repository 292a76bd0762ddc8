import { eventTypes } from '../../events/catalog.ts'
import { type Page, table, text } from '../blocks.ts'

/** All events at a glance. */
export function eventsPage(): Page {
  return {
    path: 'events/all',
    title: 'Events',
    about:
      'What happens in a business, as webhooks deliver it and `meta.changes` lists it. Types and fields are only ever added.',
    blocks: [
      text(
        'Every event is `{id, type, created_at, business_id, data}`. `id` is `evt_…`, the same in a webhook, in its repetitions and in [meta.changes](operations/meta.changes): act once for each. Events are kept 30 days.',
      ),
      table(
        ['event', 'fires when', 'scopes'],
        eventTypes.map(({ type, fires, scopes }) => [
          `[${type}](events/${type})`,
          fires,
          scopes.map((scope) => `\`${scope}\``).join(', '),
        ]),
      ),
    ],
  }
}
