/** `crier NOUN VERB`, run as the real program; the server records what it sends. */
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { type FakeServer, fakeServer } from '../../sdk/tests/fake-server.ts'
import { browse } from '../../sdk/tests/person.ts'
import { commands } from '../src/generated/commands.ts'
import { errorOf, Home } from './crier.ts'

let home: Home
let server: FakeServer

before(async () => {
  home = await Home.make({ onNode20: true })
})
after(() => home.remove())
beforeEach(async () => {
  server = await fakeServer()
  home.env['CRIER_URL'] = server.url
  const login = home.start(['login', '--no-browser'])
  const [, url = ''] = await login.says(/^ {2}(http\S+)$/m)
  await browse(url)
  await login.ended
})
afterEach(() => server.close())

const run = (...args: string[]) => home.run(args)

test('an operation is run as a command of its noun and verb', async () => {
  const { code, stdout } = await run('business', 'list')
  assert.equal(code, 0)
  assert.equal(JSON.parse(stdout).businesses.length, 1)
})

test('options become typed arguments and override words, and words override --json', async () => {
  const options = ['--limit', '7', '--types', 'form.submitted', '--types', 'contact.created']
  const words = ['limit=1', 'cursor=word', '--json', '{"cursor":"json","x":1}']
  await run('meta', 'changes', ...options, ...words, '--business', 'bus_7')
  assert.deepEqual(server.calls.at(-1)?.['arguments'], {
    business_id: 'bus_7',
    x: 1,
    limit: 7,
    types: ['form.submitted', 'contact.created'],
    cursor: 'word',
  })
})

test('an id without a name is assigned to its argument by its prefix', async () => {
  const id = (prefix: string, end: string) => `${prefix}_${end.padStart(26, '0')}`
  const sent = () => server.calls.at(-1)?.['arguments']
  await run('campaign', 'get', id('cmp', '1'))
  assert.deepEqual(sent(), { campaign_id: id('cmp', '1') })
  await run('contact', 'merge', id('con', '1'), id('con', '2'))
  assert.deepEqual(sent(), { contact_id: id('con', '1'), other_contact_id: id('con', '2') })
  await run('campaign', 'why', id('con', '1'), '--campaign-id', id('cmp', '2'))
  assert.deepEqual(sent(), { contact_id: id('con', '1'), campaign_id: id('cmp', '2') })
  server.log.length = 0
  const wrong = await run('campaign', 'get', id('frm', '1'))
  assert.equal(wrong.code, 2)
  assert.match(String(errorOf(wrong)['message']), /takes campaign_id \(cmp_…\) here, not "frm_/)
  assert.deepEqual(server.log, [])
})

test('a value of the wrong type is a usage error, and no request is sent', async () => {
  server.log.length = 0
  const { code, stderr } = await run('meta', 'changes', '--limit', 'many')
  assert.equal(code, 2)
  assert.match(String(errorOf({ code, stderr, stdout: '' })['message']), /--limit must be a number/)
  assert.deepEqual(server.log, [])
})

test('a sentence by itself, or after --brief, is sent as the brief of a campaign', async () => {
  const sent = () => server.calls.at(-1)?.['arguments']
  const brief = 'Spring sale: 20 % off everything, a=b, until Sunday'
  await run('campaign', 'generate', brief, 'channel=email')
  assert.deepEqual(sent(), { brief, channel: 'email' })
  await run('campaign', 'generate', '--brief', brief, '--channel', 'email')
  assert.deepEqual(sent(), { brief, channel: 'email' })
  await run('campaign', 'generate', '--brief', '{"goal":"Spring"}')
  assert.deepEqual(sent(), { brief: { goal: 'Spring' } })
})

test('campaign why accepts an email address, and looks up its contact', async () => {
  const id = `cmp_${'0'.repeat(26)}`
  const con = `con_${'0'.repeat(26)}`
  const other = { contact_id: 'con_2', email: 'ana@example.com.au' }
  server.faults = {
    answers: {
      'svc.v1.contact.list': { contacts: [other, { contact_id: con, email: 'ana@example.com' }] },
      'svc.v1.campaign.why': { recipients: [] },
    },
  }
  await run('campaign', 'why', id, 'email=Ana@Example.com')
  assert.deepEqual(server.calls.at(-1)?.['arguments'], { campaign_id: id, contact_id: con })
  const option = await run('campaign', 'why', id, '--email', 'ana@example.com')
  assert.equal(option.code, 0, option.stderr)
  const nobody = await run('campaign', 'why', id, '--email', 'leo@example.com')
  assert.deepEqual([nobody.code, errorOf(nobody)['code']], [5, 'not_found'])
})

test('an import that accepts no row exits with 6 and prints its result', async () => {
  const answer = { created: 0, updated: 0, unchanged: 0, refused: 2 }
  server.faults = { answers: { 'svc.v1.contact.import': answer } }
  const rows = '[{"email":"x"},{"email":"y"}]'
  const failed = await run('contact', 'import', '--contacts', rows)
  assert.deepEqual([failed.code, JSON.parse(failed.stdout)], [6, answer])
  assert.match(String(errorOf(failed)['message']), /None of the 2 rows/)
  server.faults = { answers: { 'svc.v1.contact.import': { ...answer, created: 1 } } }
  assert.equal((await run('contact', 'import', '--contacts', rows)).code, 0)
})

test('help lists every operation with its options', async () => {
  const nouns = new Set(commands.map(({ noun }) => noun))
  const { stdout } = await run('--help')
  for (const noun of nouns) assert.match(stdout, new RegExp(`^ {2}${noun}[ |]`, 'm'))
  for (const { noun, verb, options } of commands) {
    const help = (await run(noun, verb, '--help')).stdout
    for (const { key } of options) assert.ok(help.includes(`--${key.replaceAll('_', '-')}`), key)
  }
})
