/** An idle service holds nothing of Liquid, MJML and their parsers. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { isRefusal } from '../platform/errors.ts'
import { createTemplates } from './compile.ts'

const run = promisify(execFile)
const parsers = ['liquidjs', 'mjml', 'juice', 'html-to-text', 'cheerio', 'postcss']

test('the service itself never loads them', async () => {
  const app = new URL('../app.ts', import.meta.url).href
  const script = `
    import module from 'node:module'
    const loaded = []
    module.registerHooks({
      load(url, context, next) {
        loaded.push(url)
        return next(url, context)
      },
    })
    await import(${JSON.stringify(app)})
    console.log(JSON.stringify(loaded))
  `
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script])
  const loaded = JSON.parse(stdout) as string[]
  assert.ok(loaded.some((url) => url.endsWith('/templates/compile.ts')))
  for (const parser of parsers) {
    const found = loaded.filter((url) => url.includes(`/node_modules/${parser}`))
    assert.deepEqual(found, [])
  }
})

test('a thread starts at the first question and ends when nobody asks', async (t) => {
  const templates = createTemplates({ idleMs: 20 })
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
