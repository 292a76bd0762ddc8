import assert from 'node:assert/strict'
import type { Answer } from '../../support/clients/tool-caller.ts'

/** Whatever was sent, the answer is bounded: a batch may list the tools four times. */
export function assertNoFault({ status, text }: Answer): void {
  assert.ok(status < 500, `${status}: ${text.slice(0, 500)}`)
  // A receiver's fault, reported for a webhook or a delivery, is not ours. Our own refusals are at
  // the top of an answer and never below such a key.
  const ours = text.replaceAll('\\"', '"').replaceAll(/"(last_)?error":\{[^{}]*\}/g, '')
  assert.ok(!/"code":"(internal|unavailable)"/.test(ours), text.slice(0, 500))
  assert.ok(text.length < 100_000, `an answer of ${text.length} characters`)
}
