/** The processes beside a bench, and how a bench learns that one has died. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { startHelper } from '../../bench/support/helper.ts'

async function helperOf(t: { after(work: () => Promise<void>): void }, code: string) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-helper-'))
  t.after(() => rm(folder, { recursive: true }))
  const script = path.join(folder, 'helper.mjs')
  await writeFile(script, code)
  return startHelper(script, { args: ['first'] })
}

const forever = () => new Promise<never>(() => {})

test('a helper resolves packages under the conditions of the bench', async (t) => {
  const helper = await helperOf(
    t,
    'console.log(JSON.stringify([process.execArgv, process.argv[2]]))',
  )
  assert.deepEqual(JSON.parse(await helper.output()), [['--conditions=crier-source'], 'first'])
})

test('a helper that dies before its word says why', async (t) => {
  const helper = await helperOf(t, "console.error('one'); throw new TypeError('no such subpath')")
  await assert.rejects(helper.line(), /helper\.mjs ended with 1\.\none\n.*no such subpath/s)
})

test('a helper that dies ends the work beside it', async (t) => {
  const helper = await helperOf(
    t,
    "console.log('ready'); process.stdin.once('data', () => process.exit(3))",
  )
  assert.equal(await helper.line(), 'ready')
  assert.equal(await helper.during(Promise.resolve('done')), 'done')
  helper.write('go')
  await assert.rejects(helper.during(forever()), /ended with 3/)
})

test('the output of a helper that fails is no result', async (t) => {
  const helper = await helperOf(t, "console.log('12'); process.exitCode = 2")
  await assert.rejects(helper.output(), /ended with 2/)
})

test('a helper ends when its input ends', async (t) => {
  const helper = await helperOf(
    t,
    "console.log('ready'); process.stdin.resume().on('end', () => process.exit(0))",
  )
  await helper.line()
  await helper.end()
  assert.equal(helper.child.exitCode, 0)
})
