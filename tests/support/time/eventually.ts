import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again until the answer is fine, for what nobody announces; the last one at the end. */
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

/** Resolves when `done` says so, looking often; rejects when that takes too long. */
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
