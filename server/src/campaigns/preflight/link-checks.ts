/**
 * Checks links for the gate. Strangers may have written the content, so nobody must be able to
 * make this service flood a host: results are cached, no host gets two requests at once, and each
 * business has a limit per minute. Each process counts for itself.
 */
import { limits } from '../../config.ts'
import type { Id } from '../../core/ids.ts'
import { ignoreError } from '../../lib/concurrency/ignore-error.ts'
import { setNewest } from '../../lib/concurrency/set-newest.ts'
import { createLocalLimit } from '../../lib/rate-limit/local-limit.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { AskLink, CheckLinks, LinkReport } from './gates/links.ts'

export interface LinkCheckOptions {
  ask: AskLink
  clock: Clock
  /** How long the caller waits for results; requests that nobody waits for are dropped. */
  waitMs?: number
}

/** The most results that are cached, each for a URL of at most 2,000 characters. */
const mostKept = 5_000

/** A caller who waits for results. */
interface Waiter {
  businessId: Id<'business'>
  isOver: boolean
}

interface Question {
  url: string
  waiters: Waiter[]
  /** Undefined if the link was not requested. */
  answer: Promise<Answer | undefined>
  settle(answer: Answer | undefined): void
}

interface Answer {
  fault: string | undefined
}

export function createLinkChecks({
  ask,
  clock,
  waitMs = limits.linkCheckWaitMs,
}: LinkCheckOptions): CheckLinks {
  const cache = new Map<string, Answer & { until: number }>()
  const open = new Map<string, Question>()
  /** By host, the links that wait for the request that is under way there. */
  const hosts = new Map<string, Question[]>()
  const budget = createLocalLimit({ clock, perMinute: limits.linkChecksPerMinute })

  const remembered = (url: string): Answer | undefined => {
    const answer = cache.get(url)
    return answer && answer.until > clock.now().getTime() ? answer : undefined
  }

  const enqueue = (url: string, waiter: Waiter): Question => {
    const same = open.get(url)
    if (same) {
      same.waiters.push(waiter)
      return same
    }
    const { promise: answer, resolve: settle } = Promise.withResolvers<Answer | undefined>()
    const question: Question = { url, waiters: [waiter], answer, settle }
    open.set(url, question)
    const host = hostOf(url)
    const line = hosts.get(host)
    if (line) line.push(question)
    else void serve(host, [question])
    return question
  }

  /**
   * Requests a host's links one by one, and alternates between businesses, so that none waits for
   * all links of another.
   */
  const serve = async (host: string, line: Question[]): Promise<void> => {
    hosts.set(host, line)
    let last: Id<'business'> | undefined
    while (line.length > 0) {
      const turn = line.findIndex(({ waiters }) =>
        waiters.some((entry) => entry.businessId !== last),
      )
      const [question] = line.splice(Math.max(0, turn), 1)
      if (!question) break
      const waiter = question.waiters.find(
        (entry) => !entry.isOver && budget.take(entry.businessId),
      )
      const answer = waiter && (await cachedAnswer(question.url))
      last = waiter?.businessId
      open.delete(question.url)
      question.settle(answer)
    }
    hosts.delete(host)
  }

  const cachedAnswer = async (url: string): Promise<Answer | undefined> => {
    const answer = await ignoreError(
      'a link that cannot be asked is told as one that was not',
      ask(url).then((fault): Answer => ({ fault })),
    )
    const until = clock.now().getTime() + limits.linkAnswerKeptMs
    if (answer) setNewest(cache, [url, { ...answer, until }], mostKept)
    return answer
  }

  return async (businessId, urls) => {
    const waiter: Waiter = { businessId, isOver: false }
    const report: LinkReport = { links: urls.length, checked: 0, remaining: 0, dead: [] }
    const take = (url: string, answer: Answer | undefined) => {
      if (!answer || waiter.isOver) return
      report.checked++
      if (answer.fault !== undefined) report.dead.push({ url, fault: answer.fault })
    }
    const waiting: Promise<void>[] = []
    for (const url of urls) {
      const answer = remembered(url)
      if (answer) take(url, answer)
      else if (waiting.length >= limits.linkChecksAtOnce) report.remaining++
      else waiting.push(enqueue(url, waiter).answer.then((answer) => take(url, answer)))
    }
    await withinMs(waitMs, Promise.all(waiting))
    waiter.isOver = true
    return report
  }
}

function hostOf(url: string): string {
  const { hostname = '' } = URL.parse(url) ?? {}
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

async function withinMs(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, over])
  clearTimeout(timer)
}
