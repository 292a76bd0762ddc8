import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The memory of a process, in megabytes of 10^6 bytes. */
export function residentMegabytes(pid: number): number {
  const text =
    process.platform === 'linux'
      ? /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return (Number(text) * 1024) / 1e6
}

/** Polls often enough to miss no peak of any length. */
const everyMs = 200

export function watchPeak(pid: number): { peak(): number; stop(): void } {
  let most = residentMegabytes(pid)
  const timer = setInterval(() => {
    most = Math.max(most, residentMegabytes(pid))
  }, everyMs)
  return { peak: () => most, stop: () => clearInterval(timer) }
}
