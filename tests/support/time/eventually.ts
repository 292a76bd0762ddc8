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
