/** A relay in a few lines, which can fall silent or hang up where no decent server would. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Gives its URL; `act` says what it answers to a line, where it answers. */
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
