import type { Window } from './reader.ts'

/**
 * A file's windows, joined until each has at least so many rows. The last may have fewer. While the
 * caller processes one, the next is read.
 */
export async function* gathered(
  windows: AsyncIterable<Window>,
  least: number,
): AsyncGenerator<Window> {
  const source = inBatches(windows, least)
  let ahead = source.next()
  try {
    for (;;) {
      const { value, done } = await ahead
      if (done) return
      ahead = source.next()
      // If the caller stops early, an error of the batch read ahead goes unreported.
      ahead.catch(() => undefined)
      yield value
    }
  } finally {
    await ahead.catch(() => undefined)
    await source.return(undefined)
  }
}

async function* inBatches(windows: AsyncIterable<Window>, least: number): AsyncGenerator<Window> {
  let open: Window[] = []
  let count = 0
  for await (const window of windows) {
    open.push(window)
    count += window.rows.length
    if (count < least && bytesOf(open) < mostBytes) continue
    const whole = joined(open)
    open = []
    count = 0
    yield whole
  }
  if (open.length > 0) yield joined(open)
}

/** Rows may be long: they are held no longer than some windows of them. */
const mostBytes = 1024 * 1024

const bytesOf = (windows: readonly Window[]) =>
  windows.reduce((sum, { bytes }) => sum + bytes.length, 0)

/** One window of consecutive ones. The places of its rows are counted from its own beginning. */
function joined(windows: readonly Window[]): Window {
  const [first] = windows as [Window, ...Window[]]
  if (windows.length === 1) return first
  return {
    ...first,
    bytes: Buffer.concat(windows.map(({ bytes }) => bytes)),
    consumed: windows.reduce((sum, { consumed }) => sum + consumed, 0),
    rows: windows.flatMap(({ at, rows }) => {
      const shift = at - first.at
      for (const row of rows) {
        row.start += shift
        row.end += shift
      }
      return rows
    }),
  }
}
