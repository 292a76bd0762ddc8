import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import type { Config } from '../config.ts'
import { parseSmsUrl } from '../lib/sms/sms-url.ts'
import { exposureFindings } from './check-exposure.ts'
import { dataDirFinding, nodeFinding, secretFinding, threadPoolFinding } from './check-machine.ts'
import { mailFinding } from './check-mail.ts'
import { portFinding, publicFindings } from './check-network.ts'
import { readSettings } from './check-settings.ts'
import { textsFinding } from './check-texts.ts'

let folder: string

before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'crier-doctor-'))
})
after(() => rmSync(folder, { recursive: true }))

test('a Node version that is too old is reported', () => {
  assert.equal(nodeFinding('24.1.0').outcome, 'ok')
  assert.equal(nodeFinding('22.9.0').outcome, 'fail')
})

test('a thread pool smaller than the number of cores is reported', () => {
  assert.equal(threadPoolFinding(4, undefined).outcome, 'ok')
  assert.equal(threadPoolFinding(8, '8').outcome, 'ok')
  const { outcome, mend } = threadPoolFinding(8, undefined)
  assert.equal(outcome, 'warn')
  assert.match(mend ?? '', /UV_THREADPOOL_SIZE=8/)
})

test('every invalid setting is named, and a secret value is not repeated', () => {
  const { config, findings } = readSettings({
    PORT: 'many',
    ROLE: 'boss',
    CRIER_COLOUR: 'red',
    SMTP_URL: 'ftp://u:hunter2@mail',
    LOG_LEVEL: 'info',
  })
  assert.equal(config, undefined)
  const text = findings.map((finding) => finding.text).join('\n')
  assert.equal(findings.length, 4)
  for (const name of ['PORT', 'ROLE', 'CRIER_COLOUR', 'SMTP_URL']) assert.ok(text.includes(name))
  assert.doesNotMatch(text, /hunter2/)
})

test('settings that go together are read together, also beside one that is invalid', () => {
  const together = { SMTP_URL: 'smtp://relay.example', RELAY_PROFILE: 'ses' }
  assert.equal(readSettings(together).findings[0]?.outcome, 'ok')
  const writer = { WRITER_URL: 'https://api.openai.com/v1', WRITER_KEY: 'k', WRITER_MODEL: 'm' }
  assert.equal(readSettings(writer).findings[0]?.outcome, 'ok')
  const { findings } = readSettings({ ...together, PORT: 'many' })
  assert.deepEqual(
    findings.map(({ text }) => text.slice(0, 4)),
    ['PORT'],
  )
  const [broken] = readSettings({ RELAYS: folder }).findings
  assert.match(broken?.mend ?? '', /keeps the relays that it read before/)
})

test('valid settings are read and their names listed', () => {
  const { config, findings } = readSettings({ PORT: '81' })
  assert.equal(config?.port, 81)
  assert.deepEqual(
    findings.map(({ outcome, text }) => [outcome, text]),
    [['ok', 'set: PORT']],
  )
})

test('a missing data folder that can be made passes the check and is not made', () => {
  const dataDir = path.join(folder, 'a', 'b')
  assert.equal(dataDirFinding(dataDir).outcome, 'ok')
  assert.equal(statSync(path.join(folder, 'a'), { throwIfNoEntry: false }), undefined)
})

test('a data folder that others can enter is reported, and one that only its group passes is not', () => {
  const dataDir = path.join(folder, 'open')
  mkdirSync(dataDir)
  for (const [mode, outcome] of [
    [0o700, 'ok'],
    [0o710, 'ok'],
    [0o755, 'warn'],
    [0o701, 'warn'],
  ] as const) {
    chmodSync(dataDir, mode)
    assert.equal(dataDirFinding(dataDir).outcome, outcome, mode.toString(8))
  }
  assert.match(dataDirFinding(dataDir).text, /mode 701/)
})

test('a data folder path inside a file is reported as a failure', () => {
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  assert.equal(dataDirFinding(path.join(file, 'data')).outcome, 'fail')
})

test('a secret that others can read or that is empty is reported', () => {
  const dataDir = path.join(folder, 'secrets')
  mkdirSync(dataDir)
  const file = path.join(dataDir, 'secret')
  const found = () => secretFinding({ secret: undefined, dataDir, databaseUrl: undefined })
  assert.equal(found().outcome, 'ok')
  writeFileSync(file, 'x'.repeat(43), { mode: 0o600 })
  assert.equal(found().outcome, 'ok')
  chmodSync(file, 0o644)
  assert.deepEqual([found().outcome, found().mend], ['fail', `chmod 600 ${file}`])
  writeFileSync(file, '')
  chmodSync(file, 0o600)
  assert.equal(found().outcome, 'fail')
  const databaseUrl = 'postgres://crier:hunter2@db.example/crier'
  const set = { secret: 'from the environment', dataDir, databaseUrl }
  assert.equal(secretFinding(set).outcome, 'ok')
  const unset = secretFinding({ ...set, secret: undefined })
  assert.deepEqual(
    [unset.outcome, /CRIER_SECRET is required/.test(unset.mend ?? '')],
    ['fail', true],
  )
  for (const near of [
    'postgres://a@localhost/b',
    'postgres://a@127.0.0.1/b',
    'postgres://a@x/b?host=/run',
  ]) {
    assert.equal(secretFinding({ ...set, secret: undefined, databaseUrl: near }).outcome, 'fail')
    writeFileSync(file, 'x'.repeat(43))
    assert.equal(
      secretFinding({ ...set, secret: undefined, databaseUrl: near }).outcome,
      'ok',
      near,
    )
    writeFileSync(file, '')
  }
})

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

test('a free port and a port of our own pass the check, and a port of another program does not', async () => {
  const host = '127.0.0.1'
  const stranger = createServer((socket) => {
    socket.resume()
    socket.end('HTTP/1.1 200 OK\r\n\r\nhello')
  })
  const port = await listening(stranger)
  assert.match((await portFinding({ host, port })).text, /in use by another program/)
  stranger.close()
  await once(stranger, 'close')
  assert.match((await portFinding({ host, port })).text, /is free/)
  const ours = createHttpServer((_, response) => response.end('{"status":"ok"}'))
  const finding = await portFinding({ host, port: await listening(ours) })
  ours.close()
  ours.closeAllConnections()
  assert.deepEqual([finding.outcome, /answers/.test(finding.text)], ['ok', true])
})

const local = {
  baseUrl: 'http://localhost:8080',
  appUrl: 'http://localhost:8080',
  gatewayUrl: 'http://localhost:8080',
  port: 8080,
  host: '127.0.0.1',
  trustProxy: false as Config['trustProxy'],
  smtpUrl: undefined,
  allowInbox: false,
}
const everywhere = (url: string) => ({ ...local, baseUrl: url, appUrl: url, gatewayUrl: url })
const outcomes = (config: typeof local) => publicFindings(config).map(({ outcome }) => outcome)

test('loopback addresses pass the check unless the port differs', () => {
  assert.deepEqual(outcomes(local), ['ok'])
  assert.deepEqual(outcomes({ ...local, gatewayUrl: 'http://localhost:9' }), ['warn'])
})

test('a public address needs https, a mail relay and a declared proxy', () => {
  assert.deepEqual(outcomes(everywhere('http://crier.example')), [
    'fail',
    'fail',
    'fail',
    'fail',
    'warn',
  ])
  const sound = {
    ...everywhere('https://crier.example'),
    trustProxy: { hops: 1 },
    allowInbox: true,
  }
  assert.deepEqual(outcomes(sound), ['ok'])
})

test('a relay that answers passes the check, and one that refuses the password or is unreachable does not', async () => {
  const relay = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.password === 'right' ? done(null, { user: 'u' }) : done(new Error('no')),
  })
  relay.listen(0, '127.0.0.1')
  await once(relay.server, 'listening')
  const { port } = relay.server.address() as AddressInfo
  const at = (who: string) => mailFinding({ smtpUrl: `smtp://${who}127.0.0.1:${port}` })
  assert.equal((await at('')).outcome, 'ok')
  const away = await mailFinding({ smtpUrl: `smtp://127.0.0.1:${port}` }, () => false)
  assert.deepEqual([away.outcome, /without TLS/.test(away.text)], ['warn', true])
  assert.equal((await at('u:right@')).outcome, 'ok')
  const refused = await at('u:hunter2@')
  assert.equal(refused.outcome, 'fail')
  assert.match(refused.text, /rejects the user or password: 535/)
  assert.doesNotMatch(JSON.stringify(refused), /hunter2/)
  await new Promise<void>((resolve) => relay.close(resolve))
  assert.equal((await at('')).outcome, 'fail')
  assert.equal((await mailFinding({ smtpUrl: undefined })).outcome, 'ok')
})

test('the SMS provider is contacted where that is possible without sending a text', async () => {
  const open = { ...local, sms: undefined }
  assert.match((await textsFinding(open)).text, /^the test phones/)
  const closed = { ...everywhere('https://crier.example'), sms: undefined }
  assert.match((await textsFinding(closed)).text, /^none are sent: SMS_URL is not set/)
  const sms = parseSmsUrl('kannel://user:hunter2@127.0.0.1:1')
  const asked = await textsFinding({ ...local, sms })
  assert.deepEqual([asked.outcome, /127\.0\.0\.1:1/.test(asked.text)], ['ok', true])
  const gone = await textsFinding({
    ...local,
    sms: parseSmsUrl('smpp://id:hunter2@127.0.0.1:1'),
  })
  assert.equal(gone.outcome, 'fail')
  assert.match(`${gone.text} ${gone.mend}`, /ECONNREFUSED.*SMS_URL/)
  assert.doesNotMatch(JSON.stringify([asked, gone]), /hunter2/)
})

test('what gives an installation away is reported: inbox, sign-up, senders and bounces', () => {
  const closed = {
    baseUrl: 'https://crier.example',
    appUrl: 'https://crier.example',
    allowInbox: false,
    signup: 'invite',
    senderGate: 'strict',
    smtpUrl: 'smtp://relay.example',
    relays: undefined,
    sms: undefined,
    receivesBounces: true,
  } as const
  const found = (change: object) =>
    exposureFindings({ ...closed, ...change }, () => false).map(
      ({ outcome, text }) => `${outcome}: ${text}`,
    )
  assert.deepEqual(found({}), ['ok: nothing is open that should not be'])
  const [inbox] = found({ allowInbox: true, smtpUrl: undefined })
  assert.match(inbox ?? '', /^fail: .*sign-in links.*\/inbox.*\/phones/)
  assert.match(found({ signup: 'open' })[0] ?? '', /^warn: SIGNUP=open/)
  assert.match(found({ senderGate: 'off' })[0] ?? '', /^warn: SENDER_GATE=off/)
  assert.match(found({ receivesBounces: false })[0] ?? '', /^warn: no bounces/)
  assert.deepEqual(found({ receivesBounces: false, sesTopics: ['a topic'] }).length, 1)
  const local = { baseUrl: 'http://localhost:1', appUrl: 'http://localhost:1' }
  assert.match(found({ ...local, allowInbox: true, signup: 'open' })[0] ?? '', /^ok/)
})
