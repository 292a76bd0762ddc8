/** What a page shows once it has drawn an answer, which on a busy machine takes a moment. */
import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { eventually } from '../../support/time/eventually.ts'

/** Milliseconds after which a page has drawn all that it will. */
const patienceMs = 30_000

/** What is saved of a field, whether it is an input or has an editor of words with chips in it. */
export const textIn = (field: Locator): Promise<string> =>
  field.evaluate((element) => {
    if ('value' in element) return String(element.value)
    const words = element.cloneNode(true) as HTMLElement
    for (const chip of words.querySelectorAll<HTMLElement>('[data-liquid]')) {
      chip.replaceWith(chip.dataset['liquid'] ?? '')
    }
    return [...words.children].map(({ textContent }) => textContent).join('\n')
  })

export async function assertValue(field: Locator, value: string): Promise<void> {
  const shown = await eventually(
    () => textIn(field),
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
