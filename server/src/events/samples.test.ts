import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertEventFits } from '../../../tests/support/businesses/event-schema.ts'
import { type Noun, parseId } from '../core/ids.ts'
import { eventTypeNames } from './catalog.ts'
import { eventSamples } from './samples.ts'

test('every event type has a sample that matches its schema', () => {
  assert.deepEqual(Object.keys(eventSamples), eventTypeNames)
  for (const type of eventTypeNames) assertEventFits({ type, data: eventSamples[type] })
})

const nouns: Record<string, Noun> = {
  contact_id: 'contact',
  campaign_id: 'campaign',
  message_id: 'message',
  form_id: 'form',
  submission_id: 'submission',
}

test('the ids in event samples are valid ids', () => {
  const ids = Object.values(eventSamples).flatMap((data) =>
    Object.entries(data).filter(([key]) => key in nouns),
  )
  assert.ok(ids.length > 10)
  for (const [key, id] of ids) assert.ok(parseId(nouns[key] as Noun, id), `${key}: ${id}`)
})
