/**
 * A bare SMPP client: one link, a window, and prebuilt frames. Its argument is JSON. It prints the
 * texts per second.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { encodeBind } from '../../server/src/lib/sms/smpp/bind.ts'
import { command, createPduReader, encodePdu } from '../../server/src/lib/sms/smpp/pdu.ts'
import { encodeSubmit } from '../../server/src/lib/sms/smpp/submit.ts'
import type { BareClientOptions } from '../sms/clients.ts'

const { port, user, password, window, texts, body } = JSON.parse(
  process.argv[2] ?? '',
) as BareClientOptions
const part = { body, encoding: 'gsm-7', header: undefined, last: true } as const
const submit = encodeSubmit({ from: '12345', to: '+33612345678', part, longTexts: 'udh' })
const frames = Array.from({ length: texts }, (_, n) =>
  encodePdu({ command: command.submitSm, status: 0, sequence: n + 2, body: submit }),
)
const socket = connect(port, '127.0.0.1').setNoDelay(true)
await once(socket, 'connect')
const bind = encodeBind({ user, password, systemType: '' })
socket.write(encodePdu({ command: command.bindTransceiver, status: 0, sequence: 1, body: bind }))
await once(socket, 'data')

const reader = createPduReader()
const { promise: done, resolve: end } = Promise.withResolvers<void>()
let sent = 0
let answered = 0
const sendUpTo = (most: number) => {
  socket.cork()
  while (sent < Math.min(texts, most)) socket.write(frames[sent++] ?? '')
  socket.uncork()
}
socket.on('data', (chunk) => {
  for (const { status } of reader.read(chunk)) {
    if (status !== 0) throw new Error(`status ${status}`)
    answered++
  }
  if (answered === texts) end()
  else sendUpTo(answered + window)
})
const began = performance.now()
sendUpTo(window)
await done
process.stdout.write(String((texts * 1000) / (performance.now() - began)))
socket.destroy()
