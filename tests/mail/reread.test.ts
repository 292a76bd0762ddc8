/** The file RELAYS, changed while the service runs. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { DomainView } from 'crier-server/sender-domains/operations/view.ts'
import { type FakeRelay, startFakeRelay } from '../support/mail/fake-relay.ts'
import { type MailService, mailService } from '../support/mail/mail-service.ts'
import { eventually } from '../support/time/eventually.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-reread-'))
const file = path.join(folder, 'relays.json')
const write = (relays: object, more: object = {}) =>
  writeFileSync(file, JSON.stringify({ relays, ...more }))
/** The lines of the log that are about the file. */
const lines: unknown[][] = []
const log = {
  ...Object.fromEntries(['debug', 'warn', 'fatal', 'trace'].map((level) => [level, () => {}])),
  info: (facts: object, name: string) => lines.push(['info', name, facts]),
  error: (facts: object, name: string) => lines.push(['error', name, facts]),
} as never
let first: FakeRelay
let second: FakeRelay
let mail: MailService

before(async () => {
  ;[first, second] = await Promise.all([startFakeRelay(), startFakeRelay()])
  write({ first: { url: first.url() } })
  mail = await mailService(undefined, { log, settings: { RELAYS: file } })
})
after(async () => {
  await mail?.close()
  await Promise.all([first?.stop(), second?.stop()])
  rmSync(folder, { recursive: true })
})

async function routeOf(to: string): Promise<string | undefined> {
  await mail.until(await mail.send(to), 'accepted')
  const took = (relay: FakeRelay) => relay.taken.some((entry) => entry.to === to)
  return took(first) ? 'first' : took(second) ? 'second' : undefined
}
const relays = () => mail.testbed.service.app.rereadRelays()
const about = () => lines.filter(([, name]) => String(name).startsWith('relays.')).splice(0)

test('a changed file is followed: new mail goes over its relays, and the old ones are closed', async () => {
  assert.equal(await routeOf('a@example.com'), 'first')
  write(
    { first: { url: first.url() }, second: { url: second.url('?pool=1') } },
    { default: 'second' },
  )
  await relays()
  assert.equal(await routeOf('b@example.com'), 'second')
  assert.deepEqual(about().at(-1), ['info', 'relays.reread', { relays: ['first', 'second'] }])
  assert.equal(first.open > 0, true, 'a relay that stayed the same keeps its connection')
  write({ second: { url: second.url('?pool=1') } })
  await relays()
  await eventually(
    async () => first.open,
    (open) => open === 0,
  )
  assert.equal(await routeOf('c@example.com'), 'second')
})

test('a changed profile changes the records that domains are asked for, without a restart', async () => {
  const owner = await mail.testbed.caller({ businesses: [await mail.testbed.newBusiness()] })
  await owner.get('domain.add', { domain: 'profile.example' })
  const now = async () => {
    const asked = { domain: 'profile.example' }
    const answer = await owner.get<{ domains: DomainView[] }>('domain.status', asked)
    const { summary = '', records = [] } = answer.domains[0] ?? {}
    const hasReturnPath = records.some(({ name }) => name === 'send.profile.example')
    return { hasReturnPath, provider: /Postmark|Amazon SES/.exec(summary)?.[0] }
  }
  const over = async (profile: string) => {
    write({ second: { url: second.url('?pool=1'), profile } })
    await relays()
    return now()
  }
  assert.deepEqual(await now(), { hasReturnPath: true, provider: undefined })
  assert.deepEqual(await over('postmark'), { hasReturnPath: false, provider: 'Postmark' })
  assert.deepEqual(await over('ses'), { hasReturnPath: false, provider: 'Amazon SES' })
  assert.deepEqual(await over('own'), { hasReturnPath: true, provider: undefined })
})

test('a broken file changes nothing, and the log says what is wrong without repeating a password', async () => {
  const broken = ['{"relays": hunter2', '{"relays": {}}', '{"relays": {"a": {"url": "hunter2"}}}']
  for (const text of broken) {
    writeFileSync(file, text)
    await relays()
    const [level, name, facts] = about().at(-1) ?? []
    assert.deepEqual([level, name], ['error', 'relays.kept'])
    assert.match(JSON.stringify(facts), /RELAYS/)
    assert.doesNotMatch(JSON.stringify(facts), /hunter2/)
  }
  rmSync(file)
  await relays()
  assert.match(JSON.stringify(about().at(-1)), /cannot be read \(ENOENT\)/)
  assert.equal(await routeOf('d@example.com'), 'second')
})
