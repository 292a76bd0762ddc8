/** A night of retention at size, whose worker is killed, and what it comes to on the page. */
import { retentionLoop } from '../tests/crash/support/loops/retention-loop.ts'
import { globalSetup, globalTeardown } from '../tests/support/global-setup.ts'
import { table } from './markdown.ts'
import { showProgress } from './progress.ts'

/** Above it a statement holds up others. */
const longestMs = 1_000

export async function retentionSoak(kills: number, seed: number, people: number): Promise<string> {
  await globalSetup()
  const progress = showProgress(kills, 'kills during a night of retention')
  try {
    const onKill = (done: number, note: string) => progress.step(done, note)
    const outcome = await retentionLoop({ people, kills, seed, onKill })
    const { deleted, nightSeconds, allSeconds, longest } = outcome
    if (longest.statementMs > longestMs) {
      throw new Error(`a statement took ${longest.statementMs} ms: ${longest.statement}`)
    }
    const rows = Object.values(deleted).reduce((sum, n) => sum + n, 0)
    const cells = [
      people,
      outcome.kills,
      ...Object.values(deleted),
      Math.round(nightSeconds),
      Math.round(rows / nightSeconds),
      Math.round(allSeconds),
      longest.statementMs,
      longest.transactionMs,
    ].map((n) => n.toLocaleString('en-GB'))
    const head = [
      'people',
      'kills',
      ...Object.keys(deleted),
      'night, s',
      'rows/s',
      'all, s',
      'longest statement, ms',
      'transaction, ms',
    ]
    return `## kill -9 during a night of retention

A business with a message, evidence of consent and an event of each person, of whom nine in ten are older than its twelve months and three in ten are silent, seed ${seed}. The worker was killed at random moments and started again; the seconds count those without a worker.
What was past its months was gone exactly, and nothing else: the words of consent, every no (as a hash where its contact is gone), fresh rows and messages still to be sent were there, and the audit told the exact numbers once. "All" ends when what else was held of the deleted people is forgotten too.

${table(head, [cells])}
`
  } finally {
    progress.end()
    await globalTeardown()
  }
}
