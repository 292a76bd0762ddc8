/** Lets one loop sleep until a time, or until there is news for it. */
export interface Waker {
  /** Ends the present wait at once, or the next one if the loop is not waiting. */
  wake(): void
  /** Like `wake`, except that the wait lasts at least `atLeastMs`. */
  wakeSoon(): void
  /** `atLeastMs` lets news gather; `wake` ends the wait before it. */
  wait(ms: number, atLeastMs?: number): Promise<void>
}

export function createWaker(): Waker {
  let news: 'none' | 'soon' | 'now' = 'none'
  let wakeUp: (() => void) | undefined

  const sleep = (ms: number, atLeastMs: number) =>
    new Promise<void>((resolve) => {
      const began = performance.now()
      let timer = setTimeout(resolve, ms)
      wakeUp = () => {
        const rest = news === 'now' ? 0 : atLeastMs - (performance.now() - began)
        clearTimeout(timer)
        if (rest > 0) timer = setTimeout(resolve, Math.min(rest, ms))
        else resolve()
      }
      if (news !== 'none') wakeUp()
    })

  return {
    wake() {
      news = 'now'
      wakeUp?.()
    },
    wakeSoon() {
      if (news !== 'none') return
      news = 'soon'
      wakeUp?.()
    },
    async wait(ms, atLeastMs = 0) {
      if (news !== 'now' && ms > 0) await sleep(ms, atLeastMs)
      wakeUp = undefined
      news = 'none'
    },
  }
}
