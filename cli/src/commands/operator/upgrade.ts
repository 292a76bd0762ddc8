import { print } from '../../output/output.ts'
import { onServer } from '../../server.ts'

interface CopyProgress {
  rows: number
  ofRows: number
  bytes: number
  elapsed: number
}

/** Converts the embedded database; the progress goes to standard error. */
export async function upgradeDatabase(): Promise<void> {
  print(await onServer((server) => server.upgradeDatabaseHere(progress())))
}

const everyMs = 200
const width = 24

function progress(): (now: CopyProgress) => void {
  let shownAt = Number.NEGATIVE_INFINITY
  return (now) => {
    const isLast = now.rows === now.ofRows
    if (!process.stderr.isTTY || (!isLast && now.elapsed - shownAt < everyMs)) return
    shownAt = now.elapsed
    process.stderr.write(`\r${progressLine(now)}\u001b[K${isLast ? '\n' : ''}`)
  }
}

/** A bar, the share that is done, the rate, and the time that the rest takes at this rate. */
export function progressLine({ rows, ofRows, bytes, elapsed }: CopyProgress): string {
  const share = ofRows === 0 ? 1 : rows / ofRows
  const bar = '#'.repeat(Math.floor(share * width)).padEnd(width, '.')
  const seconds = Math.max(elapsed, 1) / 1000
  const rate = `${Math.round(rows / seconds).toLocaleString('en')} rows/s, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s`
  const left = rows === 0 ? '' : `, ${clock(((ofRows - rows) * seconds) / rows)} left`
  return `[${bar}] ${Math.floor(100 * share)} %, ${rows.toLocaleString('en')} of ${ofRows.toLocaleString('en')} rows, ${rate}${left}`
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
