/** People in a sequence through kills of its workers, and their section of the page. */
import { sequenceLoop } from '../tests/crash/support/loops/sequence-loop.ts'
import { globalSetup, globalTeardown } from '../tests/support/global-setup.ts'
import { table } from './markdown.ts'
import { showProgress } from './progress.ts'

const people = 20_000

/** Throws where somebody is lost, or gets a step twice. */
export async function sequenceSoak(kills: number, seed: number): Promise<string> {
  const began = performance.now()
  await globalSetup()
  const progress = showProgress(kills, 'kills in a sequence')
  try {
    const onKill = (done: number) => progress.step(done, '')
    const { mails, inside } = await sequenceLoop({ people, kills, seed, onKill })
    const cells = [kills, people, mails, Math.max(...inside), 0, 0]
    const head = ['kills', 'people', 'mails', 'inside at a kill, at most', 'lost', 'twice']
    const minutes = (performance.now() - began) / 60_000
    const row = cells.map((n) => n.toLocaleString('en-GB'))
    return section(kills, seed, minutes, table(head, [row]))
  } finally {
    progress.end()
    await globalTeardown()
  }
}

function section(kills: number, seed: number, minutes: number, figures: string): string {
  return `## kill -9 while people go through a sequence

${kills} kills at random moments in ${minutes.toFixed(1)} minutes, seed ${seed}: two workers, both killed and started again each time with a clock that is up to two hours ahead or behind, while people enter a sequence of five mails with two splits.
Each person ended in one state, with each mail of their branch once.

${figures}
`
}
