/** Runs patterns over hostile texts, and reports the slowest text of each. */
import { parentPort, workerData } from 'node:worker_threads'
import { cpuMs } from '../support/processes/cpu-time.ts'
import { type HostileText, hostileTexts, textOf } from './hostile-texts.ts'
import { deadlineMs, type PatternProgress, type PatternTask, type Slowest } from './pattern-task.ts'

/** All texts at the first lengths, some of the slowest at the next, and few at the limit. */
const rounds = [
  { length: 40, texts: Number.POSITIVE_INFINITY },
  { length: 1_500, texts: Number.POSITIVE_INFINITY },
  { length: 12_000, texts: 60 },
]
const atLimit = 4

for (const { at, task } of workerData as { at: number; task: PatternTask }[]) {
  parentPort?.postMessage({ at, done: slowestOf(at, task) } satisfies PatternProgress)
}

function slowestOf(at: number, { source, flags, most }: PatternTask): Slowest {
  // A sticky pattern is run at one position after the other, and so matches like a global one.
  const pattern = new RegExp(source, `${flags.replace(/[gy]/g, '')}g`)
  const run = (text: HostileText, length: number): Slowest => {
    const whole = textOf(text, length)
    const started = cpuMs()
    replaceTwice(whole, pattern, source)
    return { ms: cpuMs() - started, length: whole.length, text }
  }
  let texts = hostileTexts(source, flags)
  let slowest: Slowest = { ms: 0, length: 0, text: { before: '', unit: '', end: '' } }
  const smaller = rounds.filter(({ length }) => length < most)
  for (const { length, texts: count } of [...smaller, { length: most, texts: atLimit }]) {
    const taken: Slowest[] = []
    for (const text of smaller.length < 3 ? texts : texts.slice(0, count)) {
      parentPort?.postMessage({ at, text, length } satisfies PatternProgress)
      const one = run(text, length)
      if (one.ms > deadlineMs(one.length)) return one
      taken.push(one)
    }
    taken.sort((a, b) => b.ms - a.ms)
    texts = taken.map(({ text }) => text)
    if (taken[0] && taken[0].ms >= slowest.ms) slowest = taken[0]
  }
  return slowest
}

/**
 * On a busy machine the engine has refused a pattern's stack once, and never again: what overflows
 * is tried once more, and then told with the pattern.
 */
function replaceTwice(text: string, pattern: RegExp, source: string): void {
  try {
    text.replace(pattern, '')
  } catch {
    try {
      text.replace(pattern, '')
    } catch (error) {
      throw new Error(`${text.length} characters overflow ${source}`, { cause: error })
    }
  }
}
