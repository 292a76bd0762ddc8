import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { StartError } from '../lib/db/start-error.ts'
import { installCommand, withTracePackages } from './missing-packages.ts'

const run = promisify(execFile)

test('a start with a collector and without the packages names the command that installs them', async () => {
  // Node looks for the packages where there are none.
  const script = `
    import module from 'node:module'
    module.registerHooks({
      resolve(name, context, next) {
        const isPackage = name.startsWith('@opentelemetry/')
        return next(name, isPackage ? { ...context, parentURL: 'file:///nowhere/trace.ts' } : context)
      },
    })
    const { openTraces } = await import(${JSON.stringify(new URL('open.ts', import.meta.url).href)})
    const config = { role: 'all', traces: { url: 'http://127.0.0.1:1/v1/traces' } }
    const traces = openTraces({ clock: { now: () => new Date() }, config })
    await traces.get().catch(({ name, message }) => console.log(JSON.stringify({ name, message })))
  `
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script])
  const { name, message } = JSON.parse(stdout) as Record<string, string>
  assert.equal(name, 'StartError')
  assert.match(message ?? '', /^OTEL_EXPORTER_OTLP_ENDPOINT is set/)
  assert.ok(message?.includes(`\n${installCommand()}\n`), message)
})

const byText = (a: string, b: string) => (a < b ? -1 : 1)

test('the command installs every package that traces import, at its tested version', () => {
  const command = installCommand()
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts'))
  const texts = files.map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))
  const found = texts.flatMap((text) => [...text.matchAll(/from '(@opentelemetry\/[a-z-]+)'/g)])
  const names = [...new Set(found.map(([, name = '']) => name))].sort(byText)
  assert.equal(names.length, 6)
  const named = command.match(/@opentelemetry\/[a-z-]+(?=@\d+\.\d+\.\d+( |$))/g)
  assert.deepEqual(named, names)
})

test('what else fails while traces are loaded is not taken for missing packages', async () => {
  const other = new Error("Cannot find module './nothing.ts'")
  Object.assign(other, { code: 'ERR_MODULE_NOT_FOUND' })
  await assert.rejects(
    withTracePackages(() => Promise.reject(other)),
    other,
  )
  const named = Object.assign(new Error("Cannot find package '@opentelemetry/core'"), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
  await assert.rejects(
    withTracePackages(() => Promise.reject(named)),
    StartError,
  )
})
