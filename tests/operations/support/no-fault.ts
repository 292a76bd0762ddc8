import assert from 'node:assert/strict'
import type { Answer } from '../../support/clients/tool-caller.ts'

/** Whatever was sent: the service can say something to it, and says it in bounded words: a batch may ask for the list of tools four times. */
export function assertNoFault({ status, text }: Answer): void {
  assert.ok(status < 500, `${status}: ${text.slice(0, 500)}`)
  // A receiver's fault, told of a webhook or a delivery, is none of ours; a refusal of
  // ours stands at the top of an answer and never below such a key.
  const ours = text.replaceAll('\\"', '"').replaceAll(/"(last_)?error":\{[^{}]*\}/g, '')
  assert.ok(!/"code":"(internal|unavailable)"/.test(ours), text.slice(0, 500))
  assert.ok(text.length < 100_000, `an answer of ${text.length} characters`)
}
