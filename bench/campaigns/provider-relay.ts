/**
 * A relay whose replies depend on the recipient's domain. It handles more mail than a full SMTP
 * server in JavaScript could handle beside the measured service.
 */
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'

export interface ProviderAnswer {
  /** The reply to RCPT, such as `550 5.7.1 blocked`; a 421 ends the connection. */
  words: string
  /** Milliseconds before the reply. */
  afterMs?: number
}

export interface ProviderRelay {
  url(parameters?: string): string
  stop(): Promise<void>
}

interface RelayOptions {
  /** Undefined where the recipient is accepted at once. */
  answerTo(recipient: string): ProviderAnswer | undefined
  /** Called just before the relay's 250 for the content is written. */
  accepted(recipient: string): void
}

export async function startProviderRelay(options: RelayOptions): Promise<ProviderRelay> {
  const sockets = new Set<Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    serve(socket, options)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: (parameters = '') => `smtp://127.0.0.1:${port}${parameters}`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Replies to commands in order, however slow a reply is, because the client pipelines. */
function serve(socket: Socket, { answerTo, accepted }: RelayOptions): void {
  let rest = ''
  let recipient = ''
  let isAccepted = false
  let inContent = false
  let isWaiting = false
  const say = (words: string) => socket.write(`${words}\r\n`)

  const rcpt = (line: string): void => {
    recipient = /<(.*)>/.exec(line)?.[1] ?? ''
    const answer = answerTo(recipient) ?? { words: '250 2.1.5 ok' }
    const tell = () => {
      isAccepted = answer.words.startsWith('250')
      say(answer.words)
      if (answer.words.startsWith('421')) socket.end()
    }
    if (answer.afterMs === undefined) tell()
    else {
      isWaiting = true
      setTimeout(() => {
        isWaiting = false
        tell()
        read()
      }, answer.afterMs)
    }
  }
  const command = (line: string): void => {
    const word = line.slice(0, 4).toUpperCase()
    if (word === 'EHLO') say('250-relay\r\n250 PIPELINING')
    else if (word === 'RCPT') rcpt(line)
    else if (word === 'QUIT') socket.end('221 2.0.0 bye\r\n')
    else if (word !== 'DATA') say('250 2.0.0 ok')
    else if (isAccepted) {
      inContent = true
      say('354 go on')
    } else say('554 5.5.1 no recipient')
  }
  const read = (): void => {
    while (!isWaiting && socket.writable) {
      const end = rest.indexOf(inContent ? '\r\n.\r\n' : '\r\n')
      if (end < 0) return
      if (inContent) {
        rest = rest.slice(end + 5)
        inContent = false
        isAccepted = false
        accepted(recipient)
        say('250 2.0.0 accepted')
      } else {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        command(line)
      }
    }
  }
  say('220 relay')
  socket.on('data', (chunk) => {
    rest += chunk.toString('latin1')
    read()
  })
}
