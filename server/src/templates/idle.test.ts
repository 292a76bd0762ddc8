/** Liquid, MJML and their parsers live in a thread, and only while there is work for it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { ownTemplates } from '../../../tests/support/businesses/own-templates.ts'
import { isRefusal } from '../core/errors.ts'

test('a template thread starts at the first question and ends when it is idle', async (t) => {
  const templates = ownTemplates({ idleMs: 20 })
  t.after(() => templates.close())
  const started: Worker[] = []
  const note = (worker: Worker) => void started.push(worker)
  process.on('worker', note)
  t.after(() => process.off('worker', note))

  for (const n of [1, 2]) {
    const compiled = await templates.check({ subject: 'Hi', html: '<p>Hello</p>' })
    assert.ok(!isRefusal(compiled))
    const [worker] = started.slice(-1)
    assert.ok(worker)
    assert.equal(started.length, n)
    await once(worker, 'exit')
  }
})
