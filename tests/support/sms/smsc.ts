/** The Perl SMSC (`smsc.pl`), started for a test and told what to do. */
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { answersOn, freePort } from '../network/port.ts'
import { missingPrograms } from '../processes/debian-program.ts'

const script = path.join(import.meta.dirname, 'smsc.pl')
const login = { user: 'crier', password: 'pa:ss' }

export const withoutSmsc = () => missingPrograms('/usr/bin/perl', '/usr/share/perl5/Net/SMPP.pm')

/** What it saw: `bound`, `refused`, `submit`, `taken`, `nack`, `closed`, `other`. */
export interface SmscEvent {
  event: string
  [fact: string]: unknown
}

export interface Smsc {
  port: number
  /** With the parameters that SMS_URL may have. */
  url(parameters?: string): string
  seen: SmscEvent[]
  /** Those of one kind that it has told of. */
  all(event: string): SmscEvent[]
  /** Those of one kind up to now: its words come by a pipe, later than its answers. */
  soFar(event: string): Promise<SmscEvent[]>
  /** Resolves when so many of a kind have been seen since it started. */
  until(event: string, count: number): Promise<SmscEvent[]>
  /** Has it do what `smsc.pl` knows under this name; resolves when it is done. */
  order(name: string, facts?: object): Promise<void>
  /** A phone sends a text of the GSM alphabet's plain characters. */
  phoneSends(from: string, text: string, to?: string): Promise<void>
  stop(): Promise<void>
}

export interface SmscOptions {
  port?: number
  /** Tells nothing of what it sees, for figures. */
  quiet?: boolean
  /** Milliseconds that it takes for each answer. */
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
  const all = (event: string) => seen.filter((one) => one.event === event)
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
