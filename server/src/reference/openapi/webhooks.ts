/** `webhooks`: every event as it is delivered (contract, "Planned delivery"). */
import { eventTypes } from '../../events/catalog.ts'
import { eventSamples } from '../../events/samples.ts'
import { inventedId } from '../examples/ids.ts'
import type { Schema } from '../examples/values.ts'
import { pascal, plain, ref } from './schema.ts'

type EventType = (typeof eventTypes)[number]

/** `components.schemas` of the events: `FormSubmittedEvent`. */
export function eventSchemas(): Record<string, object> {
  return Object.fromEntries(eventTypes.map((event) => [nameOf(event), eventSchema(event)]))
}

export function webhooksOf(slug: string): Record<string, object> {
  return Object.fromEntries(
    eventTypes.map((event) => [event.type, { post: delivery(event, slug) }]),
  )
}

const created = new Date('2026-11-02T09:00:14.000Z')
const seconds = created.getTime() / 1000

/** An event of the type, as it is delivered. */
export function exampleEvent({ type }: EventType): object {
  return {
    id: inventedId('evt'),
    type,
    created_at: created.toISOString(),
    business_id: inventedId('bus'),
    data: eventSamples[type],
  }
}

/** The headers it is delivered with. */
export function exampleDelivery({ type }: EventType, slug: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    [`x-${slug}-event`]: type,
    [`x-${slug}-delivery`]: inventedId('dlv'),
    [`x-${slug}-timestamp`]: String(seconds),
    [`x-${slug}-signature`]: `t=${seconds},v1=${'5f'.repeat(32)}`,
  }
}

const nameOf = ({ type }: EventType) => `${pascal(type)}Event`

function eventSchema({ type, fires, data }: EventType): Schema {
  const moment = 'ISO 8601, UTC.'
  return {
    type: 'object',
    description: `Fires when ${fires}.`,
    properties: {
      id: { type: 'string', description: 'evt_…, the same however often it comes.' },
      type: { const: type },
      created_at: { type: 'string', format: 'date-time', description: moment },
      business_id: { type: 'string', description: 'The business it is of, bus_….' },
      data: plain(data),
    },
    required: ['id', 'type', 'created_at', 'business_id', 'data'],
  }
}

function delivery(event: EventType, slug: string): object {
  const header = (name: string, description: string, schema: object, example: unknown) => ({
    name: `x-${slug}-${name}`,
    in: 'header',
    required: true,
    description,
    schema,
    example,
  })
  return {
    operationId: `on${pascal(event.type)}`,
    summary: event.type,
    description: `Fires when ${event.fires}. Needs ${event.scopes.map((scope) => `\`${scope}\``).join(' and ')}. Answer any 2xx within 5 seconds; otherwise it comes again, seven times in all over 20 hours and 35 minutes.`,
    tags: ['events'],
    security: [],
    parameters: [
      header('event', 'The event type.', { const: event.type }, event.type),
      header(
        'delivery',
        'This attempt, dlv_…; another one for each.',
        { type: 'string' },
        inventedId('dlv'),
      ),
      header('timestamp', 'Unix time in seconds.', { type: 'integer' }, seconds),
      header(
        'signature',
        't=SECONDS,v1=HEX: the lower-case hex HMAC-SHA-256, keyed with the whole signing secret, of the timestamp, a dot and the raw body. During an overlap that a rotation asked for there are two v1; either may match.',
        { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
        `t=${seconds},v1=${'5f'.repeat(32)}`,
      ),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: ref('schemas', nameOf(event)), example: exampleEvent(event) },
      },
    },
    responses: {
      '2XX': { description: 'Taken. The body is not read.' },
      default: { description: 'Anything else, or nothing within 5 seconds: it comes again.' },
    },
  }
}
