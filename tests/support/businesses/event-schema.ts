/** Checks whether an event matches its schema in the catalogue exactly. */
import assert from 'node:assert/strict'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { eventTypes } from 'crier-server/events/catalog.ts'

const ajv = new Ajv({ strict: true, allErrors: true })
addFormats.default(ajv)
const checks = new Map<string, ReturnType<typeof ajv.compile>>(
  eventTypes.map(({ type, data }) => [type, ajv.compile({ ...data, additionalProperties: false })]),
)

/** Fails if the data does not match the schema, or has a field that it does not contain. */
export function assertEventFits(event: { type: string; data: object }): void {
  const check = checks.get(event.type)
  assert.ok(check, `there is no event type ${event.type}`)
  assert.ok(check(event.data), `${event.type}: ${ajv.errorsText(check.errors)}`)
}
