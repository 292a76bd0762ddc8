/** A minimal relay that can fall silent or disconnect where no proper server would. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createSmtpTransport } from 'crier-server/lib/email/smtp/transport.ts'

/** Returns its URL; `act` decides the answer to each line, if there is one. */
export async function rudeRelay(
  t: { after(work: () => unknown): void },
  act: (said: string, socket: Socket) => string | undefined,
): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write('220 rude\r\n')
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        const answer = act(line, socket)
        if (answer) socket.write(`${answer}\r\n`)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?pool=1`
}

/** The answer to a command: a text, or an action instead. */
type Answers = Partial<Record<string, string | ((socket: Socket) => string | undefined)>>

/** A relay that pipelines, and a transport to it; `heard` are the commands of all connections. */
export async function relayThat(
  t: { after(work: () => unknown): void },
  answers: Answers,
  ehlo = '250-rude\r\n250-PIPELINING\r\n250 SIZE 100000000',
) {
  const heard: string[] = []
  const usual: Record<string, string> = { EHLO: ehlo, DATA: '354 go on', '.': '250 2.0.0 taken' }
  const url = await rudeRelay(t, (line, socket) => {
    const word = line.split(' ')[0] ?? ''
    const isCommand = /^(?:EHLO|MAIL|RCPT|DATA|RSET|QUIT|\.)$/.test(word)
    if (!isCommand) return undefined
    heard.push(line)
    const answer = answers[word] ?? usual[word] ?? '250 fine'
    return typeof answer === 'string' ? answer : answer(socket)
  })
  const transport = createSmtpTransport(url, { connectMs: 2000, silenceMs: 700, messageMs: 1000 })
  t.after(() => transport.close())
  return {
    transport,
    heard,
    heardSince: () => heard.splice(0).filter((line) => !line.startsWith('EHLO')),
  }
}
