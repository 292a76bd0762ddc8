import type { Window } from './reader.ts'

/** A file's windows, joined until each has at least so many rows. The last may have fewer. */
export async function* gathered(
  windows: AsyncIterable<Window>,
  least: number,
): AsyncGenerator<Window> {
  let open: Window[] = []
  let count = 0
  for await (const window of windows) {
    open.push(window)
    count += window.rows.length
    if (count < least && bytesOf(open) < mostBytes) continue
    yield joined(open)
    open = []
    count = 0
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
      return rows.map((row) => ({ ...row, start: row.start + shift, end: row.end + shift }))
    }),
  }
}
