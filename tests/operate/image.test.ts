/**
 * The image of the Dockerfile takes the README's first steps as uid 10001, and so does the one without a
 * database on a server of its own. They are built by Debian's buildah on a base that mmdebstrap makes, which
 * takes minutes and root: `npm run soak -- --only image`.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { Home } from '../../cli/tests/crier.ts'
import { answersNow } from '../crash/support/service-process.ts'
import { approveAndReturn, newPerson } from '../support/clients/sign-in.ts'
import { freePort } from '../support/network/port.ts'
import { emptyDatabase } from '../support/postgres/database.ts'
import { eventually } from '../support/time/eventually.ts'

/** The names of images that were built. */
const { IMAGE: embedded, IMAGE_EXTERNAL: external } = process.env
const reason = 'IMAGE names no image: npm run soak -- --only image builds one'
const without = (image: string | undefined) => image === undefined && reason

const run = promisify(execFile)
const buildah = async (...args: string[]) => (await run('buildah', args)).stdout.trim()

test('the image starts as uid 10001 and takes the first steps of the README', {
  skip: without(embedded),
}, async (t) => {
  await takesFirstSteps(t, embedded ?? '')
})

test('the image without a database takes the same steps on a server of DATABASE_URL', {
  skip: without(external),
}, async (t) => {
  const database = await emptyDatabase()
  t.after(() => database.drop())
  const { host, port = 5432, user, database: name } = database.connection
  // The server of the tests listens on a socket, which no container has.
  const passOn = net.createServer((client) => {
    const server = net.connect(`${host}/.s.PGSQL.${port}`)
    for (const socket of [client, server]) socket.on('error', () => {})
    client.pipe(server).pipe(client)
  })
  passOn.listen(0, '127.0.0.1')
  await once(passOn, 'listening')
  t.after(() => passOn.close())
  const { port: at } = passOn.address() as AddressInfo
  await takesFirstSteps(t, external ?? '', {
    DATABASE_URL: `postgres://${user}@127.0.0.1:${at}/${name}`,
  })
})

test('the image without a database says what it needs', { skip: without(external) }, async (t) => {
  const container = await buildah('from', external ?? '')
  t.after(() => buildah('rm', container))
  const settings = ['--env', 'HOST=127.0.0.1', '--env', 'PORT=0']
  const inside = ['--isolation', 'chroot', '--user', '10001:10001', ...settings, container, '--']
  await assert.rejects(
    buildah('run', ...inside, 'crier', 'serve'),
    /DATABASE=external.*set DATABASE_URL/,
  )
})

async function takesFirstSteps(
  t: TestContext,
  image: string,
  more: Record<string, string> = {},
): Promise<void> {
  const container = await buildah('from', image)
  t.after(() => buildah('rm', container))
  const port = String(await freePort())
  const settings = { PORT: port, HOST: '127.0.0.1', ...more }
  const env = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const inside = ['run', '--isolation', 'chroot', '--user', '10001:10001', ...env, container, '--']
  const config = JSON.parse(await buildah('inspect', '--type', 'image', image)) as {
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
  const { size } = JSON.parse(await buildah('images', '--json', image))[0]
  t.diagnostic(`the image ${size}`)
}
