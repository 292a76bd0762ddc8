/**
 * The image of the Dockerfile takes the README's first steps as uid 10001. It is built by Debian's
 * buildah on a base that mmdebstrap makes, which takes minutes and root: `npm run soak -- --only image`.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Home } from '../../cli/tests/crier.ts'
import { answersNow } from '../crash/support/service-process.ts'
import { approveAndReturn, newPerson } from '../support/clients/sign-in.ts'
import { freePort } from '../support/network/port.ts'
import { eventually } from '../support/time/eventually.ts'

/** The name of an image that was built. */
const image = process.env['IMAGE']
const skip = image === undefined && 'IMAGE names no image: npm run soak -- --only image builds one'

const run = promisify(execFile)
const buildah = async (...args: string[]) => (await run('buildah', args)).stdout.trim()

test('the image starts as uid 10001 and takes the first steps of the README', {
  skip,
}, async (t) => {
  const container = await buildah('from', image ?? '')
  t.after(() => buildah('rm', container))
  const port = String(await freePort())
  const settings = { PORT: port, HOST: '127.0.0.1' }
  const env = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const inside = ['run', '--isolation', 'chroot', '--user', '10001:10001', ...env, container, '--']
  const config = JSON.parse(await buildah('inspect', '--type', 'image', image ?? '')) as {
    OCIv1: { config: { Entrypoint: string[]; Cmd: string[]; User: string } }
  }
  const { Entrypoint, Cmd, User } = config.OCIv1.config
  assert.equal(User, '10001:10001')
  assert.equal(await buildah(...inside, 'id', '-u'), '10001')

  const service = spawn('buildah', [...inside, ...Entrypoint, ...Cmd], { detached: true })
  const ended = once(service, 'exit')
  let printed = ''
  service.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  t.after(() => {
    if (service.exitCode === null) process.kill(-(service.pid ?? 0), 'SIGKILL')
  })
  const url = `http://localhost:${port}`
  assert.ok(
    await eventually(
      () => answersNow(`${url}/readyz`),
      (is) => is,
      120_000,
    ),
    printed,
  )

  // It has no compiler, so it offers the packages that were made with it.
  for (const file of ['sdk.tgz', 'cli.tgz']) {
    assert.equal((await fetch(`${url}/${file}`)).status, 200, file)
  }

  const home = await Home.make()
  t.after(() => home.remove())
  home.env['CRIER_URL'] = url
  const step = async (...args: string[]) => {
    const { code, stdout, stderr } = await home.run(args)
    assert.equal(code, 0, `crier ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  const login = home.start(['login', '--no-browser'])
  const [, authorize = ''] = await login.says(/^ {2}(http\S+)$/m)
  await approveAndReturn(authorize, { email: newPerson('olga') })
  assert.equal((await login.ended).code, 0)
  const { businesses } = JSON.parse(await step('call', 'business.list'))
  assert.equal(businesses.length, 1)
  await step('contact', 'upsert', '--email', 'ana@example.com', '--name', 'Ana', '--tags', 'vip')
  assert.match(await step('meta', 'changes'), /contact\.created/)
  assert.equal((await fetch(`${url}/b`)).status, 200, 'the app was built')
  const findings = await buildah(...inside, 'crier', 'doctor').catch(
    ({ stdout }: { stdout: string }) => stdout,
  )
  assert.match(findings, /data folder/)
  assert.match(findings, /all applied/)

  process.kill(-(service.pid ?? 0), 'SIGTERM')
  await ended
  const { size } = JSON.parse(await buildah('images', '--json', image ?? ''))[0]
  t.diagnostic(`the image ${size}`)
})
