/** A campaign's progress in one line: a bar, the count, the rate, and the time left. */

export interface Watched {
  status: string
  recipients: number | null
  counts: Record<string, number>
  waits?: Waits | null
}

/** The reason why the campaign, or some of its recipients, wait. */
export interface Waits {
  for: string
  until: string | null
  approval_url?: string | null
}

export interface Look {
  at: number
  done: number
}

const ends = ['sent', 'failed', 'unknown', 'cancelled', 'skipped:unsubscribed', 'skipped:erased']

export function doneOf({ status, recipients, counts }: Watched): number {
  const all = recipients ?? 0
  if (status === 'completed') return all
  return Math.min(
    all,
    ends.reduce((sum, metric) => sum + (counts[metric] ?? 0), 0),
  )
}

/** Progress per second over the polls of the last half minute; 0 where there was none yet. */
export function paceOf(looks: readonly Look[]): number {
  const [first, last] = [looks[0], looks.at(-1)]
  if (!first || !last || last.at <= first.at) return 0
  return (last.done - first.done) / ((last.at - first.at) / 1000)
}

const width = 30

export function campaignLine(seen: Watched, looks: readonly Look[]): string {
  const all = seen.recipients ?? 0
  const done = doneOf(seen)
  const part = all === 0 ? Number(seen.status === 'completed') : done / all
  const full = Math.floor(part * width)
  const bar = '█'.repeat(full) + '░'.repeat(width - full)
  const pace = paceOf(looks)
  const how = seen.status === 'deployed' && pace > 0 ? ` · ${speed(pace, all - done)}` : ''
  const { sent = 0, bounced = 0, failed = 0 } = seen.counts
  const words = `sent ${number(sent)}, bounced ${number(bounced)}, failed ${number(failed)}`
  const waiting = seen.waits ? ` · ${waitingLine(seen.waits)}` : ''
  return `${bar}  ${number(done)} / ${number(all)} · ${Math.floor(part * 100)}%${how} · ${seen.status.replace('_', ' ')} · ${words}${waiting}`
}

const reasons: Record<string, string> = {
  approval: 'waits for a person’s approval',
  send_at: 'goes out',
  first_recipients: 'the others wait for what comes of the first',
  local_hours: 'some wait for their hour',
  gap: 'some had another message a short time ago',
  ab_test: 'the others wait for the end of the A/B test',
  provider: 'mail to one provider waits, because it refused the sender or people complained',
  warm_up: 'the domain is warmed up and has had its mail of today',
}

function waitingLine({ for: what, until, approval_url }: Waits): string {
  const when = until === null ? '' : `, until ${until}`
  const on = what === 'send_at' ? ` at ${until}` : when
  return `${reasons[what] ?? what}${on}${approval_url ? `: ${approval_url}` : ''}`
}

function speed(pace: number, left: number): string {
  const rate = pace >= 1 ? `${number(Math.round(pace))}/s` : `${number(Math.round(pace * 60))}/min`
  return `${rate} · about ${timeLeft(left / pace)} left`
}

function timeLeft(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

const number = (n: number) => n.toLocaleString('en')
