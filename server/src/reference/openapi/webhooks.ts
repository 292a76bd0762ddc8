/** `webhooks`: every event as it is delivered (contract 10.2). */

import { eventTypes } from '../../events/catalog.ts'
import { eventSamples } from '../../events/samples.ts'
import { hours, minutes } from '../../lib/time/clock.ts'
import { retryDelays, retryingMs } from '../../webhooks/delivery/schedule.ts'
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

/** When the event occurs, as a sentence without its full stop. */
export function occursOf({ type, fires }: Pick<EventType, 'type' | 'fires'>): string {
  return type === 'message.bounced' ? `Occurs on ${fires}` : `Occurs when ${fires}`
}

const nameOf = ({ type }: EventType) => `${pascal(type)}Event`

function eventSchema({ type, fires, data }: EventType): Schema {
  return {
    type: 'object',
    description: `${occursOf({ type, fires })}.`,
    properties: {
      id: {
        type: 'string',
        description: 'The id of the event, `evt_…`, the same in every attempt.',
      },
      type: { const: type },
      created_at: {
        type: 'string',
        format: 'date-time',
        description: 'When it occurred, in ISO 8601 and UTC.',
      },
      business_id: { type: 'string', description: 'The id of the business, `bus_…`.' },
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
    description: `${occursOf(event)}. It needs ${event.scopes.map((scope) => `\`${scope}\``).join(' and ')}. Answer with any status of 2xx within 5 seconds. Otherwise the event is delivered again, up to ${retryDelays.length} times in ${Math.floor(retryingMs / hours(1))} hours and ${(retryingMs % hours(1)) / minutes(1)} minutes.`,
    tags: ['events'],
    security: [],
    parameters: [
      header('event', 'The type of the event.', { const: event.type }, event.type),
      header(
        'delivery',
        'The id of this attempt, `dlv_…`, which differs in every attempt.',
        { type: 'string' },
        inventedId('dlv'),
      ),
      header(
        'timestamp',
        'The time of the attempt, as Unix time in seconds.',
        { type: 'integer' },
        seconds,
      ),
      header(
        'signature',
        '`t=SECONDS,v1=HEX`. HEX is the HMAC-SHA-256, in lower case, of the timestamp, a dot and the raw body; the key is the whole signing secret. While a rotated secret is still valid there are two `v1`, and either may match.',
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
      '2XX': { description: 'The event is delivered. The body of the response is not read.' },
      default: {
        description:
          'Any other status, or no response within 5 seconds: the event is delivered again.',
      },
    },
  }
}
