/** The Perl SMSC (`smsc.pl`), started for a test and controlled by it. */
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { answersOn, freePort } from '../network/port.ts'
import { missingPrograms } from '../processes/debian-program.ts'

const script = path.join(import.meta.dirname, 'smsc.pl')
const login = { user: 'crier', password: 'pa:ss' }

export const withoutSmsc = () => missingPrograms('/usr/bin/perl', '/usr/share/perl5/Net/SMPP.pm')

/** An observation: `bound`, `refused`, `submit`, `taken`, `nack`, `closed`, `other`. */
export interface SmscEvent {
  event: string
  [fact: string]: unknown
}

export interface Smsc {
  port: number
  /** With optional parameters of SMS_URL. */
  url(parameters?: string): string
  seen: SmscEvent[]
  /** The reported events of one kind. */
  all(event: string): SmscEvent[]
  /** The events of one kind until now: reports come by a pipe, later than its responses. */
  soFar(event: string): Promise<SmscEvent[]>
  /** Resolves when this many events of a kind have been reported since the start. */
  until(event: string, count: number): Promise<SmscEvent[]>
  /** Runs the command of `smsc.pl` with this name; resolves when it is done. */
  order(name: string, facts?: object): Promise<void>
  /** Sends a text of plain GSM characters from a phone. */
  phoneSends(from: string, text: string, to?: string): Promise<void>
  stop(): Promise<void>
}

export interface SmscOptions {
  port?: number
  /** Reports no observations, for measurements. */
  quiet?: boolean
  /** Milliseconds before each response. */
  delayMs?: number
}

export async function startSmsc(options: SmscOptions = {}): Promise<Smsc> {
  const port = options.port ?? (await freePort())
  const facts = [port, login.user, login.password, options.quiet ? 1 : 0, options.delayMs ?? 0]
  const args = [script, ...facts.map(String)]
  const child = spawn('/usr/bin/perl', args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const seen: SmscEvent[] = []
  const news = new EventEmitter().setMaxListeners(0)
  createInterface({ input: child.stdout }).on('line', (line) => {
    seen.push(JSON.parse(line))
    news.emit('seen')
  })
  await answersOn(port, child)
  const all = (event: string) => seen.filter((entry) => entry.event === event)
  const until = async (event: string, count: number): Promise<SmscEvent[]> => {
    const late = AbortSignal.timeout(60_000)
    while (all(event).length < count) await once(news, 'seen', { signal: late })
    return all(event)
  }
  const order = async (name: string, facts: object = {}): Promise<void> => {
    const done = all('done').length + 1
    child.stdin.write(`${JSON.stringify({ do: name, ...facts })}\n`)
    await until('done', done)
  }
  return {
    port,
    url: (parameters = '') => `smpp://crier:pa%3Ass@127.0.0.1:${port}${parameters}`,
    seen,
    all,
    async soFar(event) {
      await order('tell')
      return all(event)
    },
    until,
    order,
    phoneSends: (from, text, to = '12345') =>
      order('inbound', {
        message: Buffer.from(text, 'latin1').toString('hex'),
        fields: { source_addr: from, destination_addr: to },
      }),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
