/** The progress of a long run: a bar on a terminal, an occasional line elsewhere. */
import { stderr } from 'node:process'

export interface Progress {
  /** `done` is the finished amount; `note` describes the latest result. */
  step(done: number, note: string): void
  end(): void
}

const width = 24
const secondsBetweenLines = 10

export function showProgress(total: number, unit: string): Progress {
  const started = performance.now()
  let lineAt = started
  const text = (done: number, note: string): string => {
    const elapsed = (performance.now() - started) / 1000
    const left = done === 0 ? undefined : (elapsed / done) * (total - done)
    const filled = Math.round((width * done) / total)
    return [
      `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done}/${total} ${unit}`,
      `${((done * 60) / Math.max(elapsed, 0.001)).toFixed(1)}/min`,
      left === undefined ? '' : `${inWords(left)} left`,
      note,
    ]
      .filter(Boolean)
      .join(' · ')
  }
  return {
    step(done, note) {
      if (stderr.isTTY) {
        stderr.write(`\r\x1b[2K${text(done, note).slice(0, stderr.columns)}`)
      } else if (done === total || performance.now() - lineAt >= secondsBetweenLines * 1000) {
        lineAt = performance.now()
        stderr.write(`${text(done, note)}\n`)
      }
    },
    end() {
      if (stderr.isTTY) stderr.write('\n')
    },
  }
}

function inWords(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
