import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from 'crier-server/lib/process/log.ts'
import { PageVisitor } from '../support/clients/page-visitor.ts'
import { newPerson } from '../support/clients/sign-in.ts'
import { reply, startFakeRelay } from '../support/mail/fake-relay.ts'
import { mailService } from '../support/mail/mail-service.ts'
import { eventually } from '../support/time/eventually.ts'

test('no log line of a full run contains an address, token or body, and each request is logged', async (t) => {
  const lines: string[] = []
  const log = createLog('debug', { write: (line: string) => void lines.push(line) })
  const relay = await startFakeRelay({
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('gone')) done(reply(`550 5.1.1 <${address}> no such user`))
      else if (address.startsWith('later')) done(reply(`451 4.2.1 <${address}> come again`))
      else done()
    },
  })
  const mail = await mailService(relay.url('?pool=2'), { log })
  t.after(() => mail.close())
  const { owner, testbed } = mail
  const requests: string[] = []
  const secret = 'Dear-reader-of-a-body'
  const say = async (operation: string, input: object) => {
    const answer = await owner.call(operation, input)
    requests.push(answer.headers.get('x-request-id') ?? '')
    return answer.body
  }
  const words = { subject: `${secret} subject`, html: `<p>${secret}</p>`, text: secret }
  const ids: string[] = []
  for (const name of ['fine', 'gone', 'later']) {
    const { message_id } = await say('email.send', { to: `${name}@reader.test`, ...words })
    ids.push(String(message_id))
  }
  await say('email.send', { to: 'no address', ...words })
  await say('email.send', { to: 'gone@reader.test', ...words, attachments: 'none' })
  for (const [i, state] of ['accepted', 'bounced', 'deferred'].entries()) {
    assert.equal((await mail.until(ids[i] ?? '', state)).status, state)
  }
  const email = newPerson()
  const { app, config } = testbed.service
  const visitor = new PageVisitor(app.server, new URL(config.baseUrl).host)
  await visitor.submit(await visitor.get('/login'), { email })
  const found = await eventually(
    () => relay.taken.find(({ to }) => to === email),
    (taken) => taken !== undefined,
  )
  const link = /sign-in\/([\w-]+)/.exec(found?.source.replaceAll('=\r\n', '') ?? '')?.[1] ?? ''
  assert.ok(link.length > 20)
  await visitor.get(`/sign-in/${link}`)
  await relay.stop()
  await say('email.send', { to: 'nobody-there@reader.test', ...words })
  const isTold = () => lines.some((line) => line.includes('message.unreachable'))
  assert.ok(await eventually(isTold, (told) => told), 'a relay that is away is worth a line')

  const all = lines.join('')
  for (const request of requests) assert.ok(all.includes(request), `${request} is not found`)
  for (const line of lines) {
    assert.doesNotMatch(line, /@reader\.test|@shop\.example/, 'an address')
    assert.ok(!line.includes(email), 'an address')
    assert.ok(!line.includes(secret), 'a body')
    assert.ok(!line.includes(link), 'a token of a link')
    assert.doesNotMatch(line, /eyJ|Bearer|rt_/, 'a token')
  }
})
