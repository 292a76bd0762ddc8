/** People in a sequence through kills, jumps of the clock and a restore, and their section of the page. */
import { sequenceLoop } from '../tests/crash/support/loops/sequence-loop.ts'
import { globalSetup, globalTeardown } from '../tests/support/global-setup.ts'
import { table } from './markdown.ts'
import { showProgress } from './progress.ts'

const people = Number(process.env['SEQUENCE_PEOPLE'] ?? 100_000)

/** Throws where somebody is lost, or gets a step twice. */
export async function sequenceSoak(kills: number, seed: number): Promise<string> {
  const began = performance.now()
  await globalSetup()
  const progress = showProgress(kills, 'kills in a sequence')
  try {
    const onKill = (done: number) => progress.step(done, '')
    const outcome = await sequenceLoop({ people, kills, seed, onKill })
    const { mails, inside, lostMails, gone, inDoubt, asked } = outcome
    const figures = [
      ['people', people],
      ['mails, each step of each person once', mails],
      ['inside at a kill, at most', Math.max(...inside)],
      ['mails that only the lost database had', lostMails],
      ['people who entered after the moment of the restore', gone],
      ['people who left in doubt by the restore', inDoubt],
      ['people about whom `sequence.why` was asked', asked],
      ['people lost, steps sent twice', 0],
    ] as const
    const minutes = (performance.now() - began) / 60_000
    const rows = figures.map(([name, n]) => [name, n.toLocaleString('en-GB')])
    return section(
      { kills, seed, minutes, struck: outcome.kills },
      table(['figure', 'value'], rows),
    )
  } finally {
    progress.end()
    await globalTeardown()
  }
}

interface Ran {
  kills: number
  seed: number
  minutes: number
  struck: Partial<Record<string, number>>
}

function section({ kills, seed, minutes, struck }: Ran, figures: string): string {
  const each = Object.entries(struck).map(([kind, n]) => `${kind} ${n}`)
  return `## kill -9 while people go through a sequence

${kills} kills at random moments in ${minutes.toFixed(1)} minutes, seed ${seed}: two workers and the database (${each.join(', ')}, and once all was lost and restored by \`crier restore --at\` to a moment before it), while people enter a sequence of five mails with two splits. Where the workers are killed, they start again with a clock that is up to two hours ahead or behind. Messages of the lost and of the restored database are counted together.

${figures}
`
}
