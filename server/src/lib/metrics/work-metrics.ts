/** Counts what this process sends and delivers, from the moment it is made. */
import { Counter, Histogram, type Registry } from 'prom-client'
import { onEnded } from '../observing/observed.ts'

/** Seconds: from a response out of memory to a wait that a person gives up on. */
export const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function countWork(registry: Registry): void {
  const registers = [registry]
  const of = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers })
  const timesOf = (name: string, help: string, labelNames: string[]) =>
    new Histogram({ name, help, labelNames, buckets, registers })
  const sends = of(
    'crier_sends_total',
    'Attempts to send a message by channel and result: accepted, deferred, refused, untouched, unclear or error.',
    ['channel', 'result'],
  )
  const sendSeconds = timesOf('crier_send_seconds', 'How long attempts to send took.', ['channel'])
  const attempts = of(
    'crier_webhook_attempts_total',
    'Attempts to deliver an event by result: delivered, failed (the receiver answered otherwise), or why there was no answer.',
    ['result'],
  )
  const attemptSeconds = timesOf('crier_webhook_seconds', 'How long receivers took.', [])
  onEnded(({ kind, name: channel, result, seconds }) => {
    if (kind === 'send') {
      sends.inc({ channel, result })
      sendSeconds.observe({ channel }, seconds)
    } else {
      attempts.inc({ result })
      attemptSeconds.observe(seconds)
    }
  })
}
