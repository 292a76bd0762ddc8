import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { CrierError } from '@crier-mail/sdk'
import { exitCodeOf } from './exit-code.ts'
import { CommandError, report } from './failure.ts'

function reported(error: unknown, isTTY: boolean): { text: string; code: number } {
  let text = ''
  const stream = {
    isTTY,
    write: (chunk: string) => {
      text += chunk
    },
  }
  const code = report(error, stream as unknown as NodeJS.WriteStream)
  return { text: stripVTControlCharacters(text), code }
}

const refusal = new CrierError({
  code: 'invalid_request',
  status: 200,
  message: 'email is missing.',
  field: 'email',
  requestId: 'req_1',
  fix: { tool: 'svc.v1.form.get', arguments: { note: "it's" } },
})

test('without a terminal an error is printed as one line of JSON with all its details', () => {
  const { text, code } = reported(refusal, false)
  assert.equal(code, 6)
  assert.equal(text.split('\n').length, 2)
  assert.deepEqual(JSON.parse(text), {
    code: 'invalid_request',
    message: 'email is missing.',
    status: 200,
    field: 'email',
    fix: { tool: 'svc.v1.form.get', arguments: { note: "it's" } },
    request_id: 'req_1',
    hint: `crier call svc.v1.form.get --json '{"note":"it'\\''s"}'`,
  })
})

test('in a terminal an error is printed as a sentence, its code and the command that helps', () => {
  const { text } = reported(refusal, true)
  assert.match(text, /^✕ email is missing\.\n {2}invalid_request · email · req_1\n {2}crier call /)
})

test('a fix whose tool name is not a valid name gives no command to type', () => {
  const fix = { tool: 'x; rm -rf ~' }
  const { text } = reported(new CrierError({ code: 'conflict', message: 'No.', fix }), false)
  assert.equal(JSON.parse(text).hint, undefined)
})

test('control characters in a server’s message are replaced before it reaches the terminal', () => {
  const error = new CrierError({ code: 'conflict', message: '\u001b[2Jall is well\r' })
  assert.match(reported(error, true).text, /^✕ �\[2Jall is well�\n/)
})

test('an unexpected error is printed without its stack', () => {
  const { text, code } = reported(Object.assign(new Error('no space'), { code: 'ENOSPC' }), false)
  assert.equal(code, 1)
  assert.deepEqual(JSON.parse(text), { code: 'failed', message: 'no space', cause: 'ENOSPC' })
})

test('each kind of error has its own exit code', () => {
  const codes = ['usage', 'severed', 'scope_required', 'not_found', 'conflict', 'rate_limited']
  assert.deepEqual(codes.map(exitCodeOf), [2, 3, 4, 5, 6, 7])
  assert.equal(exitCodeOf('network'), 8)
  assert.equal(exitCodeOf('interrupted'), 130)
  assert.equal(exitCodeOf('never heard of'), 1)
  assert.equal(reported(new CommandError('usage', 'x'), false).code, 2)
})
