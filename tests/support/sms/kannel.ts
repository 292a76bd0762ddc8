/**
 * Kannel with its fake SMSC: `bearerbox` and `smsbox` from Debian, and one `fakesmsc` that acts as
 * the phones of a network. The phones can also send texts.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { answersOn, freePort } from '../network/port.ts'
import { missingPrograms } from '../processes/debian-program.ts'

const fakeSmsc = '/usr/lib/kannel/test/fakesmsc'
const programs = ['/usr/sbin/bearerbox', '/usr/sbin/smsbox', fakeSmsc]

export const withoutKannel = () => missingPrograms(...programs)

export interface Kannel {
  /** With optional parameters of SMS_URL. */
  url(parameters?: string): string
  /** The texts that phones got, in fakesmsc's form: `<from to text words>`. */
  got: string[]
  /** Sends a text from a phone, such as `33612345678 12345 text STOP`. */
  phoneSends(text: string): Promise<void>
  stop(): Promise<void>
}

export interface KannelOptions {
  /** The URL to which it sends texts from phones. */
  inboundUrl: string
}

export async function startKannel({ inboundUrl }: KannelOptions): Promise<Kannel> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-kannel-'))
  const ports = await Promise.all(Array.from({ length: 4 }, freePort))
  const [admin = 0, box = 0, smsc = 0, sendsms = 0] = ports
  const file = path.join(folder, 'kannel.conf')
  await writeFile(file, configuration({ admin, box, smsc, sendsms, inboundUrl }))
  const children: ChildProcess[] = []
  const run = (program: string, ...args: string[]) => {
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    children.push(child)
    return child
  }
  const got: string[] = []
  const phones = (...args: string[]) => {
    const child = run(fakeSmsc, '-H', '127.0.0.1', '-r', String(smsc), '-i', '0.01', ...args)
    createInterface({ input: child.stderr ?? process.stdin }).on('line', (line) => {
      const [, message] = /Got message \d+: <(.*)>$/.exec(line) ?? []
      if (message !== undefined) got.push(message)
    })
    return child
  }
  const stop = async () => {
    await Promise.all(children.map(killed))
    await rm(folder, { recursive: true, force: true })
  }
  let network: ChildProcess
  try {
    await answersOn(box, drained(run('/usr/sbin/bearerbox', file)))
    await answersOn(sendsms, drained(run('/usr/sbin/smsbox', file)))
    network = phones('-m', '0', '1 2 text never')
    await attached(network)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: (parameters = '') => `kannel://crier:pa%3Ass@127.0.0.1:${sendsms}${parameters}`,
    got,
    async phoneSends(text) {
      await killed(network)
      network = phones('-m', '1', text)
      await attached(network)
    },
    stop,
  }
}

/** Bearerbox accepts one network at a time, and texts wait there until one has connected. */
async function attached(network: ChildProcess): Promise<void> {
  if (!network.stderr) throw new Error('the fake SMSC cannot be heard')
  for await (const [chunk] of on(network.stderr, 'data'))
    if (/Connecting/.test(String(chunk))) return
}

function drained(child: ChildProcess): ChildProcess {
  child.stderr?.resume()
  return child
}

interface Settings {
  admin: number
  box: number
  smsc: number
  sendsms: number
  inboundUrl: string
}

const configuration = ({ admin, box, smsc, sendsms, inboundUrl }: Settings) => `
group = core
admin-port = ${admin}
admin-interface = 127.0.0.1
admin-password = nobody
smsbox-port = ${box}
smsbox-interface = 127.0.0.1
log-level = 1

group = smsc
smsc = fake
smsc-id = phones
host = 127.0.0.1
port = ${smsc}
connect-allow-ip = 127.0.0.1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = ${sendsms}
sendsms-interface = 127.0.0.1
http-request-retry = 10
http-queue-delay = 1

group = sendsms-user
username = crier
password = pa:ss

group = sms-service
keyword = default
catch-all = true
max-messages = 0
get-url = "${inboundUrl}"
`

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
