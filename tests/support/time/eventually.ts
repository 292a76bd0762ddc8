import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until the answer is good, for changes without a notification; returns the last answer. */
export async function eventually<T>(
  ask: () => Promise<T> | T,
  isFine: (answer: T) => boolean,
  ms = 60_000,
): Promise<T> {
  for (const until = Date.now() + ms; ; ) {
    const answer = await ask()
    if (isFine(answer) || Date.now() > until) return answer
    await sleep(25)
  }
}

/** Resolves once `done` returns true, with frequent polls; rejects if that takes too long. */
export async function until(
  done: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 60_000,
): Promise<void> {
  const end = Date.now() + withinMs
  while (!(await done())) {
    if (Date.now() > end) throw new Error(`waited ${withinMs} ms in vain: ${what}`)
    await sleep(10)
  }
}
