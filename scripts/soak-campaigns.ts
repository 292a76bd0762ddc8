/** The part of `npm run soak` that kills the service while a campaign is being sent. */
import { type CampaignReport, campaignLoop } from '../tests/crash/support/loops/campaign-loop.ts'
import { table } from './markdown.ts'
import { showProgress } from './progress.ts'

const recipients = 100_000
const kills = 40
const connections = 20

/** The section of docs/soak.md. Fails where a recipient was lost, or got it twice. */
export async function campaignSoak(seed: number): Promise<string> {
  const progress = showProgress(kills, 'kills during a campaign')
  const report = await campaignLoop({
    recipients,
    kills,
    connections,
    seed,
    onKill: (done, ended) => progress.step(done, `${ended} at their end`),
  })
  progress.end()
  const { twice, lost, untold, apart, unknown } = report
  if (twice + lost + untold + apart > 0 || unknown > kills * connections) {
    throw new Error(`the campaign was not kept: ${JSON.stringify(report)}`)
  }
  return `## kill -9 while a campaign goes out

${kills} kills, one to four seconds after each start, while a campaign to ${recipients.toLocaleString('en-GB')} recipients went to Postfix's smtp-sink over ${connections} connections, paused and resumed at random, seed ${seed}; all on one data folder.
Each recipient is in one final state. Unknown may have arrived and is not sent again: never more than the connections at each kill.

${tableOf(report)}
`
}

function tableOf(report: CampaignReport): string {
  const rows: [string, number][] = [
    ['recipients', report.recipients],
    ['kills', report.kills],
    ['pauses and resumes', report.pauses],
    ...Object.entries(report.standings),
    ['taken by the sink', report.received],
    ['taken twice', report.twice],
    ['said to be sent, and not at the sink', report.lost],
    ['at the sink, and not said', report.untold],
    ['rows that differ from their message', report.apart],
  ]
  return table(
    ['what', 'how many'],
    rows.map(([what, n]) => [what, String(n)]),
  )
}
