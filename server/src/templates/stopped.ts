/** The refusal if a thread did not respond. */
import { type Refusal, refuse } from '../core/errors.ts'
import type { Stopped } from '../lib/threads/thread.ts'
import { templateLimits } from './source.ts'

/** The template is not at fault: the thread currently has no time for it. */
export function isBusy({ stopped }: Stopped): boolean {
  return stopped !== 'deadline' && stopped !== 'memory'
}

export function stoppedRefusal({ stopped, step, retryAfter = 1 }: Stopped): Refusal {
  switch (stopped) {
    case 'closed':
      return refuse('unavailable', 'The service is stopping.')
    case 'budget':
      return refuse('rate_limited', usedUp(retryAfter), { retryAfter })
    case 'shared budget':
      return refuse('rate_limited', sharedUsedUp(retryAfter), { retryAfter })
    case 'after stops':
      return refuse('rate_limited', afterStops(retryAfter), { retryAfter })
    case 'full':
      return refuse('rate_limited', manyWait, { retryAfter })
    case 'all full':
      return refuse('unavailable', allWait, { retryAfter })
    case 'deadline':
    case 'memory':
      return tooMuch(stopped, step)
  }
}

function tooMuch(stopped: 'deadline' | 'memory', step: string | undefined): Refusal {
  const part = step ?? 'template'
  const what = stopped === 'deadline' ? 'takes too long' : 'takes too much memory'
  const text = `${part} ${what}: look for loops over many items, very large ones, or many rules of style.`
  return refuse('invalid_request', text, step === undefined ? {} : { field: step })
}

const secondsOfChecks = templateLimits.checksMsPerMinute / 1_000

function usedUp(retryAfter: number): string {
  return `This business has used the ${secondsOfChecks} seconds of computing that it may use in a minute to check and preview templates. Try again in ${retryAfter} s, or with simpler templates. Its mail goes out meanwhile.`
}

function sharedUsedUp(retryAfter: number): string {
  return `Businesses that are less than a day old share ${secondsOfChecks} seconds of computing a minute to check and preview templates, and have used them. Try again in ${retryAfter} s. Mail goes out meanwhile.`
}

function afterStops(retryAfter: number): string {
  return `Two checks or previews of this business had to be stopped because they took too long. Simplify the template: look for loops over many items, very large ones, or many rules of style. Try again in ${retryAfter} s. Mail goes out meanwhile.`
}

const manyWait = `${templateLimits.checksWaiting.each} checks and previews of this business wait for their turn already. Try again in a second, and send them one after the other.`

const allWait = 'Too many templates wait to be checked at the moment. Try again in a second.'

/** The refusal of a part of a template that cannot be compiled or filled in. */
export function partRefusal({ place, message }: { place: string; message: string }): Refusal {
  return refuse('invalid_request', message, { field: place })
}
