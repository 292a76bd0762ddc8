import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './log.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void, level = 'debug') {
  const lines: string[] = []
  write(createLog(level, { write: (line) => lines.push(line) }))
  return lines
}

const secret = 'maria@example.com rt_9f8e7d'
const fault = () => Object.assign(new TypeError(secret), { code: '23505', detail: secret })

test('a log line is JSON with a time, a level and the name of the event', () => {
  const [line] = logged((log) => log.info({ n: 3 }, 'queue.swept'))
  const { time, level, ...rest } = JSON.parse(line ?? '')
  assert.deepEqual(rest, { n: 3, msg: 'queue.swept' })
  assert.ok(!Number.isNaN(Date.parse(time)) && level === 'info')
})

test('a line says which node, role and process wrote it, where that is known', () => {
  const lines: string[] = []
  const source = { role: 'worker', node: 'a', pid: 7 }
  createLog('info', { write: (line) => lines.push(line) }, source).warn('queue.swept')
  const { time: _time, ...rest } = JSON.parse(lines[0] ?? '')
  assert.deepEqual(rest, { level: 'warn', ...source, msg: 'queue.swept' })
})

test('an error is logged with its class, code and stack location', () => {
  const [line] = logged((log) => log.error({ err: fault() }, 'job.failed'))
  const { err } = JSON.parse(line ?? '')
  assert.deepEqual([err.type, err.code], ['TypeError', '23505'])
  assert.match(err.at[0], /log\.test\.ts/)
  assert.ok(err.at.length <= 5)
})

test('the message of an error never reaches the log, however the error is passed', () => {
  const several = new Error(`first\n    at ${secret}\n${secret}`)
  const nested = new Error('outer', { cause: fault() })
  const joined = new AggregateError([fault()], secret)
  const lines = logged((log) => {
    for (const err of [fault(), several, nested, joined]) {
      log.error({ err }, 'event')
      log.error({ err })
      log.error(err)
      log.error(err, 'event')
    }
    log.error({ err: secret }, 'event')
    log.error({ err: null }, 'event')
  })
  assert.equal(lines.length, 18)
  for (const line of lines) assert.ok(!/maria|rt_9f|first|outer/.test(line), line)
})

test('a log call below the log level is not written', () => {
  const write = (log: ReturnType<typeof createLog>) => {
    log.debug('fine')
    log.warn('bad')
  }
  assert.equal(logged(write, 'warn').length, 1)
  assert.equal(logged(write, 'silent').length, 0)
})
