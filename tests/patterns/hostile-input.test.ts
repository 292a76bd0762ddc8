/**
 * The packages that read what strangers and callers wrote, given what is hard to read. Mail is
 * read in the loop of the service, so each has to be quick; templates in threads with a deadline,
 * so that none may hold up the loop, or the templates that are known.
 */
import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { isRefusal } from 'crier-server/core/errors.ts'
import { ownTemplates } from '../support/businesses/own-templates.ts'
import { hostileMails } from './hostile-mail.ts'
import { hostileHtml, hostileMjml } from './hostile-pages.ts'

/** Milliseconds of computing; the slowest takes a seventh where nothing else runs. */
const mailMs = 1_000
/** Without a word for so long, a mail counts as one that is never read. */
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

test('no mail that comes back takes long to be read', async () => {
  // The first loads the parser, which is no part of what is measured.
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
  test(`${what} is answered, and holds up neither the loop nor other mail`, async () => {
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

test('the text of HTML that is no template is made within a deadline too', async () => {
  for (const [what, html] of hostileHtml) {
    const text = await templates.textOf(html)
    const isAnswer = typeof text === 'string' || text.code === 'invalid_request'
    assert.ok(isAnswer, what)
  }
})
