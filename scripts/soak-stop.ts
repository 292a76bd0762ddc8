/** The part of `npm run soak` that stops all sending of a business with a full queue. */
import { type StopReport, stopLoop, stopsWithinMs } from '../tests/crash/support/loops/stop-loop.ts'
import { globalSetup, globalTeardown } from '../tests/support/global-setup.ts'
import { table } from './markdown.ts'

const recipients = 200_000
const workers = 8
const connections = 8

/** The section of docs/soak.md. Fails where mail left too late, was lost or came twice. */
export async function stopSoak(): Promise<string> {
  await globalSetup()
  try {
    const report = await stopLoop({
      recipients,
      workers,
      connections,
      sentBefore: 2_000,
      quietMs: 10_000,
    })
    const { lastAfterMs, sentWhileStopped, twice, lost, untold, ordered, orderedSent } = report
    const accounted = Object.values(report.standings).reduce((sum, n) => sum + n, 0)
    const isKept =
      lastAfterMs <= stopsWithinMs &&
      sentWhileStopped + twice + lost + untold === 0 &&
      orderedSent === ordered
    if (!isKept || accounted !== recipients) {
      throw new Error(`the stop was not kept: ${JSON.stringify(report)}`)
    }
    return `## Stop all sending

A campaign to ${recipients.toLocaleString('en-GB')} recipients, sent by ${workers} workers over ${connections} connections each to Postfix's smtp-sink, is stopped with all that assistants and programs send, while a program goes on ordering emails. 15 seconds later it is resumed, and goes on to its end: every recipient is recorded as sent then, and has it at the sink once. The rest took ${Math.round(report.drainMs / 60_000)} minutes.

${tableOf(report)}
`
  } finally {
    await globalTeardown()
  }
}

function tableOf(report: StopReport): string {
  const rows: [string, number][] = [
    ['recipients', report.recipients],
    ['workers', report.workers],
    ['waiting at the press', report.queued],
    ['of these in the hands of workers', report.claimed],
    ['sent before the press', report.sentBefore],
    ['the press itself, ms', Math.round(report.pressMs)],
    ['sent after the press', report.sentAfter],
    ['the last of these after, ms', Math.round(report.lastAfterMs)],
    ['sent while it was stopped', report.sentWhileStopped],
    ['ordered meanwhile by the program', report.ordered],
    ['of these sent after the resume', report.orderedSent],
    ['recipients sent to in the end', report.standings['sent'] ?? 0],
    ['recorded as sent, and not at the sink', report.lost],
    ['at the sink, and not recorded', report.untold],
    ['sent twice', report.twice],
  ]
  return table(
    ['what', 'how many'],
    rows.map(([what, n]) => [what, n.toLocaleString('en-GB')]),
  )
}
