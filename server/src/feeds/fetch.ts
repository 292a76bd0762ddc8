/** Fetches a feed through the guard for outbound requests, since strangers may have named its address. */
import type { Outbound } from '../lib/http-client/outbound-fetch.ts'
import { seconds } from '../lib/time/clock.ts'
import type { Mapping } from './mapping.ts'
import type { ReadFeed } from './parse.ts'
import { NotAFeed, parseLimits } from './raw-feed.ts'

export interface FetchDeps {
  outbound: { get(): Promise<Pick<Outbound, 'fetch'>> }
}

export interface Fetched {
  outcome: 'read'
  feed: ReadFeed
  etag: string | null
  lastModified: string | null
}

export interface FetchFailure {
  outcome: 'broken'
  /** What is wrong with it, such as `answers 404`. */
  problem: string
  /** Whether it may be there again soon: nothing was read that is no feed. */
  isAway: boolean
}

interface FetchWish {
  url: string
  /** Where the parts of items stand in JSON that is no feed. */
  mapping?: Mapping | undefined
  /** As the last answer gave them. */
  etag?: string | null
  lastModified?: string | null
}

const problems = {
  forbidden: 'has an address that cannot be reached from here',
  dns: 'has a host name that does not exist',
  connection: 'takes no connection',
  tls: 'has no valid certificate',
  protocol: 'does not speak HTTP',
  timeout: 'does not answer in time',
} as const

/** The most addresses that one fetch is sent on to. */
const redirects = 5
/** The time of one fetch, with all addresses that it is sent on to. */
const wholeMs = seconds(30)

export async function fetchFeed(
  { outbound }: FetchDeps,
  { url, mapping, etag, lastModified }: FetchWish,
): Promise<Fetched | FetchFailure | { outcome: 'unchanged' }> {
  const client = await outbound.get()
  const { parseFeed } = await import('./parse.ts')
  const end = performance.now() + wholeMs
  let address = url
  for (let hop = 0; hop <= redirects; hop++) {
    const restMs = Math.ceil(end - performance.now())
    if (restMs <= 0) return broken(problems.timeout, true)
    const answer = await client.fetch({
      url: address,
      headers: {
        accept: mapping
          ? 'application/json, */*;q=0.5'
          : 'application/feed+json, application/rss+xml, application/atom+xml, application/xml;q=0.9, */*;q=0.5',
        'user-agent': 'Crier (feeds)',
        ...(etag && { 'if-none-match': etag }),
        ...(lastModified && { 'if-modified-since': lastModified }),
      },
      deadlineMs: Math.min(seconds(10), restMs),
      bodyMs: Math.min(seconds(20), restMs),
      maxBytes: parseLimits.bytes,
    })
    if (answer.outcome === 'failed') {
      return broken(problems[answer.reason], answer.reason !== 'forbidden')
    }
    const { status, headers } = answer
    if (status === 304) return { outcome: 'unchanged' }
    const location = headerOf(headers['location'])
    if (status >= 300 && status < 400 && location) {
      const next = URL.parse(location, address)
      if (!next) return broken('sends on to an address that is none')
      address = next.href
      continue
    }
    if (status !== 200) return broken(`answers ${status}`, status >= 500 || status === 429)
    if (!answer.complete) {
      return broken(
        answer.body.length >= parseLimits.bytes ? 'is larger than 5 MB' : 'ends before its end',
      )
    }
    try {
      const contentType = headerOf(headers['content-type']) ?? ''
      const feed = await parseFeed({ body: answer.body, contentType, url: address }, mapping)
      const validators = {
        etag: headerOf(headers['etag'])?.slice(0, 500) ?? null,
        lastModified: headerOf(headers['last-modified'])?.slice(0, 100) ?? null,
      }
      return { outcome: 'read', feed, ...validators }
    } catch (error) {
      if (error instanceof NotAFeed) return broken(error.message)
      throw error
    }
  }
  return broken('sends on from address to address')
}

function broken(problem: string, isAway = false): FetchFailure {
  return { outcome: 'broken', problem, isAway }
}

const headerOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
