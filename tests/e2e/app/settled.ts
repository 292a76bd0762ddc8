/** What a page shows once it has drawn an answer, which on a busy machine takes a moment. */
import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { eventually } from '../../support/time/eventually.ts'

/** Milliseconds after which a page has drawn all that it will. */
const patienceMs = 30_000

export async function assertValue(field: Locator, value: string): Promise<void> {
  const shown = await eventually(
    () => field.inputValue(),
    (now) => now === value,
    patienceMs,
  )
  assert.equal(shown, value)
}

export async function assertCount(all: Locator, count: number): Promise<void> {
  const shown = await eventually(
    () => all.count(),
    (now) => now === count,
    patienceMs,
  )
  assert.equal(shown, count)
}
