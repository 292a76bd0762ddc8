/**
 * The packages that read input of strangers and callers, with hostile input. Mail is read in the
 * service's event loop, so each mail has to be quick. Templates are rendered in threads with a
 * deadline, so none may block the loop, or the templates that are known.
 */
import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { isRefusal } from 'crier-server/core/errors.ts'
import { ownTemplates } from '../support/businesses/own-templates.ts'
import { hostileMails } from './hostile-mail.ts'
import { hostileHtml, hostileMjml } from './hostile-pages.ts'

/** Milliseconds of CPU time; the slowest mail takes a seventh of it on an idle machine. */
const mailMs = 1_000
/** Milliseconds without progress after which a mail counts as never read. */
const silenceMs = 30_000

function readAll(sources: string[]): Promise<number[]> {
  const worker = new Worker(new URL('./read-mails.ts', import.meta.url), {
    workerData: sources,
    execArgv: ['--conditions=crier-source'],
  })
  const taken: number[] = []
  return new Promise((resolve, reject) => {
    const end = () => void worker.terminate()
    let timer = setTimeout(end, silenceMs)
    worker.on('message', (ms: number) => {
      taken.push(ms)
      clearTimeout(timer)
      timer = setTimeout(end, silenceMs)
    })
    worker.on('error', reject)
    worker.on('exit', () => {
      clearTimeout(timer)
      resolve(taken)
    })
  })
}

test('no hostile returned mail takes long to parse', async () => {
  // The first mail loads the parser, which is not part of the measurement.
  const [, ...taken] = await readAll(['Subject: x\r\n\r\nx', ...hostileMails.map(([, one]) => one)])
  const slow = hostileMails.filter((_, n) => (taken[n] ?? Number.POSITIVE_INFINITY) > mailMs)
  const told = slow.map(([what]) => what)
  assert.deepEqual(told, [])
})

const templates = ownTemplates({ checksMsPerMinute: 10_000_000 })
after(() => templates.close())

async function knownTemplate() {
  const known = await templates.check({ subject: 'Hi {{ n }}', html: '<p>Hello {{ n }}</p>' })
  assert.ok(!isRefusal(known))
  const render = async (n: number) => {
    const mail = await templates.render(known, { n })
    assert.ok(!isRefusal(mail), isRefusal(mail) ? mail.message : '')
    assert.equal(mail.subject, `Hi ${n}`)
  }
  await render(0)
  await render(1)
  return render
}

const sources = [
  ...hostileHtml.map(([what, html]) => ({ what, source: { subject: 'x', html } })),
  ...hostileMjml.map(([what, mjml]) => ({
    what: `MJML of ${what}`,
    source: { subject: 'x', mjml },
  })),
]

for (const { what, source } of sources) {
  test(`${what} is answered and holds up neither the event loop nor other mail`, async () => {
    const render = await knownTemplate()
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    let isOver = false
    const checked = templates.check(source).finally(() => {
      isOver = true
    })
    let n = 1
    while (!isOver) {
      await render(++n)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    delay.disable()
    const answer = await checked
    if (isRefusal(answer)) assert.equal(answer.code, 'invalid_request', answer.message)
    assert.ok(delay.max < 1e9, `the loop stood still for ${delay.max / 1e6} ms`)
  })
}

test('the text of HTML that is not a template is also made within a deadline', async () => {
  for (const [what, html] of hostileHtml) {
    const text = await templates.textOf(html)
    const isAnswer = typeof text === 'string' || text.code === 'invalid_request'
    assert.ok(isAnswer, what)
  }
})
