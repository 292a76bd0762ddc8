/** A thread for tests of threads: it works as long, and as whoever, a question says. */
import { answerQuestions, Later, threadData } from '../../../server/src/platform/thread-side.ts'

export interface Told {
  n: number
  strangersMs?: number
  oursMs?: number
  laterMs?: number
}

function work(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end) {}
}

answerQuestions<Told, string>(({ n, strangersMs = 0, oursMs = 0, laterMs }, progress) => {
  work(strangersMs)
  progress.ours()
  work(oursMs)
  const answer = `${threadData<string>()} ${n}`
  if (laterMs === undefined) return answer
  return new Later(new Promise((resolve) => setTimeout(() => resolve(answer), laterMs)))
})
