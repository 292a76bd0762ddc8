/**
 * kill -9 while mail is sent over two relays, each the failover of the other. One of them refuses
 * every third mail before its content, so that attempts go on over the other all the time.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { reply, startFakeRelay } from '../../../support/mail/fake-relay.ts'
import { startSmtpSink } from '../../../support/mail/smtp-sink.ts'
import { namesIn, orderMail } from './mail-loop.ts'
import { type SendLoopOptions, type SendReport, sendLoop } from './send-loop.ts'

export interface TwoRelaysOptions extends SendLoopOptions {
  /** Connections to each relay. */
  connections: number
}

export interface TwoRelaysReport extends SendReport {
  /** What each relay received. */
  byRelay: { refusing: number; other: number }
  /** How often the first relay refused a mail. */
  refused: number
}

export async function twoRelaysLoop({
  connections,
  ...options
}: TwoRelaysOptions): Promise<TwoRelaysReport> {
  let asked = 0
  let refused = 0
  const refusing = await startFakeRelay({
    onMailFrom(_address, _session, done) {
      asked++
      if (asked % 3 !== 0) return done()
      refused++
      done(reply('451 4.3.2 not this one'))
    },
  })
  const other = await startSmtpSink({ keep: true })
  const folder = await mkdtemp(path.join(tmpdir(), 'crier-relays-'))
  const file = path.join(folder, 'relays.json')
  const to = (url: string, failover: string) => ({ url, connections, warm: true, failover })
  const relays = { a: to(refusing.url(), 'b'), b: to(other.url(), 'a') }
  await writeFile(file, JSON.stringify({ relays, default: { transactional: 'a', marketing: 'a' } }))
  const names = async () => {
    const [first, second] = [refusing.taken.map(({ source }) => source), await other.messages()]
    return { first: namesIn(first), second: namesIn(second) }
  }
  const remote = {
    env: { RELAYS: file, SENDER_GATE: 'off', MAIL_FROM: 'hello@shop.example' },
    taken: async () => Object.values(await names()).flat(),
    async stop() {
      const { first, second } = await names()
      byRelay = { refusing: first.length, other: second.length }
      await Promise.all([refusing.stop(), other.stop(), rm(folder, { recursive: true })])
    },
  }
  let byRelay = { refusing: 0, other: 0 }
  const report = await sendLoop(remote, orderMail, options)
  return { ...report, byRelay, refused }
}
