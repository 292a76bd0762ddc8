/** The README's examples: all of them compile, and the one that signs in runs. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runChild } from './child.ts'
import { fakeServer } from './fake-server.ts'
import { browse } from './person.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-readme-'))
after(() => rm(folder, { recursive: true }))

before(async () => {
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const examples = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
  assert.ok(examples.length >= 5)
  await Promise.all(
    examples.map((code, i) => writeFile(path.join(folder, `example-${i}.ts`), code)),
  )
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}')
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  const compilerOptions = { types: ['node'], noEmit: true, strict: true }
  const extend = { extends: path.join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(extend))
})

test('every example of the README compiles', async () => {
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await run(process.execPath, [tsc, '-p', folder])
})

test('the second example of the README signs a person in and prints the name of the business', async () => {
  const server = await fakeServer()
  const first = new URL(`file://${folder}/example-1.ts`)
  const example = runChild(first, [], { cwd: folder, env: { CRIER_URL: server.url } })
  const [, url = ''] = await example.says(/^Open (\S+)$/m)
  await browse(url)
  const { stdout } = await example.ended
  await server.close()
  assert.match(stdout, /^Brindlequay$/m)
})
