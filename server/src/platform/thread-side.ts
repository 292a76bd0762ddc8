/** The other side of thread.ts: what runs in the thread. */
import { parentPort } from 'node:worker_threads'
import type { Word } from './thread.ts'

export interface Progress {
  /** Says that our own modules are being loaded, which the deadline leaves out. */
  loading(): void
  /** Names what is done now; where the deadline ends it, this is what the caller is told. */
  step(name: string): void
}

/** Answers one question after another. */
export function answerQuestions<Question, Answer>(
  answerTo: (question: Question, progress: Progress) => Answer | Promise<Answer>,
): void {
  const say = (word: Word<Answer>) => parentPort?.postMessage(word)
  const progress: Progress = {
    loading: () => say({ say: 'loading' }),
    step: (step) => say({ say: 'step', step }),
  }
  say({ say: 'ready' })
  let last: Promise<void> = Promise.resolve()
  parentPort?.on('message', (question: Question) => {
    last = last.then(async () => {
      try {
        say({ say: 'answer', answer: await answerTo(question, progress) })
      } catch (error) {
        say({ say: 'fault', message: error instanceof Error ? error.message : String(error) })
      }
    })
  })
}
