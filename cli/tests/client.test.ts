/** The client's commands, run as the real program against the small server of the SDK's tests. */
import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { type FakeServer, fakeServer } from '../../sdk/tests/fake-server.ts'
import { browse } from '../../sdk/tests/person.ts'
import { type Ended, errorOf, Home } from './crier.ts'

const printedUrl = /^ {2}(http\S+)$/m
let home: Home
let server: FakeServer

before(async () => {
  home = await Home.make({ onNode20: true })
})
after(() => home.remove())
beforeEach(async () => {
  server = await fakeServer()
  home.env['CRIER_URL'] = server.url
})
afterEach(() => server.close())

async function login(...args: string[]): Promise<Ended> {
  const crier = home.start(['login', '--no-browser', ...args])
  const [, url = ''] = await crier.says(printedUrl)
  await browse(url)
  return crier.ended
}

const run = (...args: string[]): Promise<Ended> => home.run(args)

test('login prints the address, waits for the browser and prints the granted scopes', async () => {
  const { code, stdout } = await login()
  assert.equal(code, 0)
  assert.deepEqual(JSON.parse(stdout), {
    url: server.url,
    state: 'signed_in',
    scopes: ['meta:read', 'forms:read'],
  })
})

test('token prints an access token alone on a line, which a plain request may send', async () => {
  await login()
  const { code, stdout } = await run('token')
  assert.equal(code, 0)
  const [token = '', ...rest] = stdout.split('\n')
  assert.deepEqual(rest, [''])
  const answer = await fetch(`${server.url}/api/functions/svc-mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })
  assert.equal(answer.status, 200)
})

test('login requests only the scopes that are named', async () => {
  const { stdout } = await login('--scope', 'forms:read', '--scope', 'meta:read,forms:write')
  assert.deepEqual(JSON.parse(stdout).scopes, ['meta:read', 'forms:read', 'forms:write'])
})

test('login opens the browser that the variable BROWSER names', async () => {
  const opener = path.join(home.folder, 'browser')
  await writeFile(opener, `#!${process.execPath}\nfetch(process.argv[2])\n`, { mode: 0o755 })
  home.env['BROWSER'] = opener
  const { code, stderr } = await run('login')
  delete home.env['BROWSER']
  assert.equal(code, 0)
  assert.match(stderr, printedUrl)
})

test('a sign-in that the person refuses exits with 4, a callback with a forged state with 1', async () => {
  server.faults.deny = true
  const denied = await login()
  assert.equal(denied.code, 4)
  assert.equal(errorOf(denied)['code'], 'access_denied')
  server.faults = { state: 'forged' }
  const forged = await login()
  assert.equal(forged.code, 1)
  assert.equal(errorOf(forged)['code'], 'state_mismatch')
})

test('Ctrl-C ends a waiting login with exit code 130', async () => {
  const crier = home.start(['login', '--no-browser'])
  await crier.says(printedUrl)
  crier.signal('SIGINT')
  const ended = await crier.ended
  assert.equal(ended.code, 130)
  assert.equal(errorOf(ended)['code'], 'interrupted')
})

test('the files that login stores are sealed, private to their owner and contain no readable token', async () => {
  await login()
  const folder = path.join(home.folder, 'crier')
  for (const name of await readdir(folder, { recursive: true })) {
    const file = path.join(folder, name)
    const stats = await stat(file)
    assert.equal(stats.mode & 0o077, 0, name)
    // Three such letters also occur in random bytes, once in ten thousand runs, so it matches four.
    if (stats.isFile())
      assert.doesNotMatch(await readFile(file, 'latin1'), /rt_[\w-]{4}|eyJ[\w-]{4}/)
  }
})

test('whoami shows the connection; without a connection it exits with 3 and prints the login command', async () => {
  const before = await run('whoami')
  assert.equal(before.code, 3)
  assert.equal(errorOf(before)['hint'], `crier login --server ${server.url}`)
  assert.equal(before.stdout, '')
  await login()
  const { stdout } = await run('whoami')
  const { url, state, businesses } = JSON.parse(stdout)
  assert.deepEqual([url, state, businesses.length], [server.url, 'signed_in', 1])
})

test('status reports whether the server responds, also before anybody has signed in', async () => {
  const before = JSON.parse((await run('status')).stdout)
  assert.deepEqual([before.server, before.state], [server.url, 'signed_out'])
  await login()
  const { state, answers_in_ms } = JSON.parse((await run('status')).stdout)
  assert.equal(state, 'signed_in')
  assert.ok(answers_in_ms >= 0)
  const away = await run('status', '--server', 'http://127.0.0.1:1')
  assert.deepEqual([away.code, errorOf(away)['code']], [8, 'network'])
})

test('tools list prints every tool with its schema', async () => {
  await login()
  const { tools } = JSON.parse((await run('tools', 'list')).stdout)
  assert.equal(tools.length, 3)
  assert.deepEqual(tools[0].inputSchema, { type: 'object' })
})

test('call sends typed arguments, a body and the business, and pairs override the body', async () => {
  await login()
  const json = '{"name":"from body","n":1}'
  const words = ['call', 'echo.back', 'name=Ana', 'ok=true', 'list:=[1]']
  const { stdout } = await run(...words, '--json', json, '--business', 'bus_7')
  const sent = { business_id: 'bus_7', name: 'Ana', n: 1, ok: true, list: [1] }
  assert.deepEqual(JSON.parse(stdout), sent)
  assert.equal(stdout.trim().split('\n').length, 1)
})

test('call reads the body from standard input', async () => {
  await login()
  const { stdout } = await home.run(['call', 'echo.back', '--json', '-'], '{"from":"stdin"}')
  assert.deepEqual(JSON.parse(stdout), { from: 'stdin' })
})

test('a refused call prints JSON on stderr, with the exit code of its kind', async () => {
  await login('--scope', 'meta:read')
  const refused = await run('call', 'form.submit', 'form_id=frm_1')
  assert.deepEqual([refused.code, refused.stdout], [6, ''])
  assert.equal(errorOf(refused)['field'], 'fields.email')
  const forbidden = await run('call', 'form.list')
  assert.equal(forbidden.code, 4)
  assert.match(String(errorOf(forbidden)['hint']), /crier login .*leave forms:read ticked/)
})

test('a connection revoked at the server exits with 3, and the third call sends no request', async () => {
  await login()
  server.oauth.revokeAll()
  for (const code of ['invalid_grant', 'severed', 'severed']) {
    server.log.length = 0
    const ended = await run('call', 'business.list')
    assert.equal(ended.code, 3)
    assert.equal(errorOf(ended)['code'], code)
  }
  assert.deepEqual(server.log, [])
})

test('logout revokes the connection at the server and deletes it locally', async () => {
  await login()
  assert.deepEqual(JSON.parse((await run('logout')).stdout), {
    url: server.url,
    state: 'signed_out',
    revoked: true,
  })
  assert.equal(server.count('POST /functions/v1/mcp-oauth/revoke'), 1)
  assert.equal((await run('whoami')).code, 3)
})

test('two servers have separate connections, and --server overrides CRIER_URL', async () => {
  const other = await fakeServer()
  await login()
  assert.equal((await run('whoami', '--server', other.url)).code, 3)
  assert.equal((await run('whoami')).code, 0)
  await other.close()
})

test('an unreachable server exits with 8, and an invalid address with 6', async () => {
  await login()
  await server.close()
  assert.equal((await run('call', 'business.list')).code, 8)
  assert.equal((await run('whoami', '--server', 'nonsense')).code, 6)
})

test('a usage error exits with 2 and sends no request', async () => {
  await login()
  server.log.length = 0
  const lines = [['call'], ['call', 'x', 'y'], ['nosuch'], ['whoami', '--nope'], ['tools']]
  for (const words of [...lines, ['call', 'x', '--json', '[]']]) {
    assert.equal((await home.run(words)).code, 2, words.join(' '))
  }
  assert.deepEqual(server.log, [])
})

test('Ctrl-C during a token refresh ends the command, and the new refresh token is stored', async () => {
  server.oauth.lifetime = 30
  await login()
  server.oauth.lifetime = 3600
  let release = (): void => undefined
  server.faults.hold = new Promise((resolve) => {
    release = resolve
  })
  server.log.length = 0
  const crier = home.start(['call', 'business.list'])
  while (server.log.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  crier.signal('SIGINT')
  await crier.says(/interrupted/)
  release()
  assert.equal((await crier.ended).code, 130)
  assert.equal(server.calls.length, 0)
  assert.equal((await run('call', 'business.list')).code, 0)
  assert.equal(server.oauth.refreshed.length, 1)
})

test('several commands at once whose access token is about to expire refresh it once', async () => {
  server.oauth.lifetime = 30
  await login()
  server.oauth.lifetime = 3600
  const ended = await Promise.all([1, 2, 3, 4].map(() => run('call', 'business.list')))
  assert.deepEqual(
    ended.map(({ code }) => code),
    [0, 0, 0, 0],
  )
  assert.equal(server.oauth.refreshed.length, 1)
})
