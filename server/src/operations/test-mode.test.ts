import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshCatalog } from '../../../scripts/generators/catalog.ts'
import { campaignProgress } from '../campaigns/progress.ts'
import { namesInTestMode } from './test-mode.ts'

/** Changes that test mode has in its twin; of everything else it only reads. */
const writing =
  /^(contact|segment|email|sms|message|webhook|form|campaign)\.(upsert|tag|track|save|merge|suppress|erase|delete|send|send_batch|cancel|reschedule|rotate|test|replay|retry|submit|release|discard|generate|deploy|pause|resume|unschedule|copy)$/

test('test mode has operations that exist, and changes nothing but people, messages, webhooks, forms and campaigns', () => {
  const all = [...freshCatalog(), campaignProgress]
  const catalog = new Map(all.map((operation) => [operation.name, operation]))
  for (const name of namesInTestMode) {
    const operation = catalog.get(name)
    assert.ok(operation?.hints.readOnly || (operation && writing.test(name)), name)
  }
})
