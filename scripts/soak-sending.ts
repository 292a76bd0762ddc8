/** The parts of `npm run soak` that kill the service while mail and texts are being sent. */
import { mailLoop } from '../tests/crash/support/loops/mail-loop.ts'
import type { SendKill, SendReport } from '../tests/crash/support/loops/send-loop.ts'
import { textLoop } from '../tests/crash/support/loops/text-loop.ts'
import { twoRelaysLoop } from '../tests/crash/support/loops/two-relays-loop.ts'
import { table } from './markdown.ts'
import { showProgress } from './progress.ts'

const kills = 20

/** The section of docs/soak.md. Fails where a message was lost or marketing was sent twice. */
export async function mailSoak(seed: number): Promise<string> {
  const [messages, connections] = [10_000, 20]
  const figures = await figuresOf('mail', connections, (onKill) =>
    mailLoop({ messages, kills, connections, seed, onKill }),
  )
  return `## kill -9 while mail goes out

${kills} kills at random moments while ${messages.toLocaleString('en-GB')} messages, half of them marketing, went to Postfix's smtp-sink over ${connections} connections, seed ${seed}; all on one data folder.
In flight: begun, and no end in the database when the service died. On disk: of these, those whose end the journal held. In doubt: the rest, never more than the connections.
Marketing in doubt stays \`unknown\`; a transactional message in doubt goes again under the same Message-ID.

${figures}
`
}

/** The section on two relays, each the failover of the other. */
export async function twoRelaysSoak(seed: number): Promise<string> {
  const [messages, connections] = [10_000, 20]
  const figures = await figuresOf('mail over two relays', 2 * connections, (onKill) =>
    twoRelaysLoop({ messages, kills, connections, seed, onKill }),
  )
  return `## kill -9 while mail goes out over two relays

${kills} kills at random moments while ${messages.toLocaleString('en-GB')} messages, half of them marketing, went over two relays of ${connections} connections each, seed ${seed}. The first refuses every third mail before its content, so that the attempt goes on over the other.

${figures}
`
}

export async function textSoak(seed: number): Promise<string> {
  const [messages, window] = [5_000, 20]
  const figures = await figuresOf('texts', window, (onKill) =>
    textLoop({ messages, kills, window, seed, onKill }),
  )
  return `## kill -9 while texts go out

${messages.toLocaleString('en-GB')} texts to an SMSC over SMPP with a window of ${window}, while the service is killed ${kills} times at random moments and started again. None is lost, no marketing text comes twice, and in doubt are never more than the window.

${figures}
`
}

type OnKill = (done: number, report: SendKill) => void

async function figuresOf(
  what: string,
  atOnce: number,
  loop: (onKill: OnKill) => Promise<SendReport>,
): Promise<string> {
  const progress = showProgress(kills, `kills during ${what}`)
  const report = await loop((done, { underWay, onDisk, inDoubt }) =>
    progress.step(done, `${underWay} under way, ${onDisk} on disk, ${inDoubt} in doubt`),
  )
  progress.end()
  const mostInDoubt = Math.max(...report.kills.map(({ inDoubt }) => inDoubt))
  if (report.lost > 0 || report.marketingTwice > 0 || mostInDoubt > atOnce) {
    throw new Error(`${what} were not kept: ${JSON.stringify(report)}`)
  }
  return tableOf(report, mostInDoubt)
}

function tableOf(report: SendReport, mostInDoubt: number): string {
  const sum = (of: (kill: SendReport['kills'][number]) => number) =>
    report.kills.reduce((total, kill) => total + of(kill), 0)
  const rows: [string, number][] = [
    ['messages', report.sent],
    ['kills', report.kills.length],
    ['in flight at a kill, in total', sum(({ underWay }) => underWay)],
    ['of these on disk', sum(({ onDisk }) => onDisk)],
    ['of these in doubt', sum(({ inDoubt }) => inDoubt)],
    ['in doubt after one kill, at most', mostInDoubt],
    ['lost', report.lost],
    ['marketing received twice', report.marketingTwice],
    ['transactional received twice', report.transactionalTwice],
    ['reported as unknown', report.unknown],
    ['of these received', report.unknownReceived],
  ]
  return table(
    ['what', 'how many'],
    rows.map(([what, n]) => [what, String(n)]),
  )
}
