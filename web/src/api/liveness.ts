/** Whether the service tells of changes right now, so that nobody needs to ask often. */
let isLive = false

export function setLive(value: boolean): void {
  isLive = value
}

/** What the stream does not tell of still shows within this time. */
const slowMs = 60_000

/** How often a query is asked again: seldom while changes are told, else as often as it says. */
export const unlessTold =
  (ms: number, whileTold = slowMs) =>
  () =>
    isLive ? whileTold : ms
