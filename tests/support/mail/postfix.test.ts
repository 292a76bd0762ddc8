import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSmtpTransport } from 'crier-server/lib/email/smtp/transport.ts'
import { eventually } from '../time/eventually.ts'
import { type Postfix, startPostfix, withoutPostfix } from './postfix.ts'
import { type SmtpSink, startSmtpSink, withoutSmtpSink } from './smtp-sink.ts'

const skip = withoutPostfix() ?? withoutSmtpSink() ?? false

let sink: SmtpSink
let postfix: Postfix
before(async () => {
  if (skip) return
  sink = await startSmtpSink({ keep: true })
  postfix = await startPostfix({
    transports: {
      'ana@here.test': 'maildir',
      'gone@here.test': 'error:5.1.1 no such user',
      'full@here.test': 'retry:4.2.2 mailbox full',
      'us.test': `smtp:[127.0.0.1]:${sink.port}`,
    },
    lifetime: '2s',
  })
})
after(async () => {
  if (skip) return
  await postfix?.stop()
  await sink?.stop()
})

async function send(to: string): Promise<void> {
  const transport = createSmtpTransport(postfix.url())
  const message = Buffer.from('Subject: A word\r\n\r\nHello\r\n')
  const sent = await transport.use('normal', (line) =>
    line.send({ from: 'b+1@us.test', to }, message),
  )
  assert.equal(sent.result, 'accepted')
  await transport.close()
}

test('a temporary Postfix delivers to a maildir', { skip }, async () => {
  await send('ana@here.test')
  const [mail] = await eventually(
    () => postfix.mailbox('ana@here.test'),
    (all) => all.length > 0,
  )
  assert.match(mail ?? '', /^Subject: A word/m)
})

test('Postfix’s failure notices, immediate and expired, are returned by SMTP', {
  skip,
}, async () => {
  await send('gone@here.test')
  await send('full@here.test')
  // The sink makes the file of a message before it has the whole of it.
  const notices = await eventually(
    () => sink.messages(),
    (all) => all.filter((notice) => notice.includes('Return-Path:')).length >= 2,
  )
  const text = notices.join('\n')
  assert.match(text, /Status: 5\.1\.1/)
  assert.match(text, /Status: 4\.2\.2/)
  assert.match(text, /Action: failed/)
})
