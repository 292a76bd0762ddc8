/**
 * Queries DNS. The records page needs facts that `node:dns` does not report: the TTL of a TXT
 * record, the aliases on the way, and whether a name has no records or its servers failed.
 */
import { getServers } from 'node:dns'
import { type DnsServer, exchange } from './exchange.ts'
import type { DnsRecord, RecordType, Reply } from './message.ts'
import { DnsFormatError } from './name.ts'
import { parseDnsServer } from './settings.ts'

export type Failure = 'timeout' | 'unreachable' | 'server_failure' | 'malformed' | 'alias_loop'

/** `aliases`: the targets of CNAME records, in order; empty where there was none. */
export type Lookup<T extends RecordType = RecordType> = { aliases: string[] } & (
  | {
      outcome: 'found'
      records: Extract<DnsRecord, { type: T }>[]
      /** Seconds for which the answer, including its aliases, may be cached at most. */
      ttl: number
    }
  /** `retryIn`: seconds for which resolvers may cache that there are no records. */
  | { outcome: 'absent'; retryIn: number }
  | { outcome: 'failed'; failure: Failure }
)

export interface Resolver {
  /** Never rejects, since a failure is an answer. An abort of `signal` ends it as a timeout. */
  lookup<T extends RecordType>(name: string, type: T, signal?: AbortSignal): Promise<Lookup<T>>
}

export interface ResolverOptions {
  /** Servers to query, in this order; the machine's own where the list is empty. */
  servers: readonly DnsServer[]
  /** The timeout in milliseconds for each server, by round. */
  rounds?: readonly number[]
}

/** The most aliases that are followed, as many as BIND follows. */
const mostAliases = 16
/** The most servers that are queried. */
const mostServers = 3

export function createResolver({ servers, rounds = [2000, 4000] }: ResolverOptions): Resolver {
  const ask = async (
    name: string,
    type: RecordType,
    signal: AbortSignal,
  ): Promise<Reply | Failure> => {
    let failure: Failure = 'unreachable'
    const nameServers = (servers.length > 0 ? servers : machineServers()).slice(0, mostServers)
    for (const milliseconds of rounds) {
      for (const server of nameServers) {
        if (signal.aborted) return 'timeout'
        const time = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])
        const reply = await exchange(server, { name, type }, time).catch(failureOf)
        if (typeof reply === 'string') failure = reply
        else if (reply.rcode === noError || reply.rcode === noSuchName) return reply
        else failure = 'server_failure'
      }
    }
    return failure
  }

  /** The reply, or only the alias where a server fails to resolve its target. */
  const step = async (
    name: string,
    type: RecordType,
    signal: AbortSignal,
  ): Promise<Reply | Failure> => {
    const reply = await ask(name, type, signal)
    if (reply !== 'server_failure' || type === 'CNAME') return reply
    const alias = await ask(name, 'CNAME', signal)
    return typeof alias !== 'string' && alias.answers.length > 0 ? alias : reply
  }

  return {
    async lookup(name, type, signal = new AbortController().signal) {
      const aliases: string[] = []
      let ttl = 0
      for (let current = name; ; ) {
        const reply = await step(current, type, signal)
        if (typeof reply === 'string') return { outcome: 'failed', failure: reply, aliases }
        const { records, path, seconds } = follow(reply.answers, current, type)
        ttl = Math.max(ttl, seconds)
        aliases.push(...path)
        if (records.length > 0) return { outcome: 'found', records: records as never, ttl, aliases }
        const last = path.at(-1)
        if (new Set([name, ...aliases]).size <= aliases.length || aliases.length > mostAliases) {
          return { outcome: 'failed', failure: 'alias_loop', aliases }
        }
        // A server that knows only the alias expects the client to query the target.
        if (last === undefined || reply.rcode === noSuchName || knowsNone(reply)) {
          return { outcome: 'absent', retryIn: rememberedFor(reply), aliases }
        }
        current = last
      }
    },
  }
}

/** The servers are read at each use, because a laptop's servers change with its network. */
function machineServers(): DnsServer[] {
  return getServers().flatMap((text) => parseDnsServer(text) ?? [])
}

const noError = 0
/** RFC 2308, section 2.1: the code is about the last name that the aliases led to. */
const noSuchName = 3

function failureOf(error: unknown): Failure {
  if (error instanceof DnsFormatError) return 'malformed'
  const { name } = error as Error
  return name === 'TimeoutError' || name === 'AbortError' ? 'timeout' : 'unreachable'
}

/**
 * The records at the name, or at the target of its aliases within the reply. Others are ignored.
 */
function follow(answers: DnsRecord[], from: string, type: RecordType) {
  const path: string[] = []
  let seconds = 0
  for (let name = from; ; ) {
    const here = answers.filter((record) => record.name === name)
    const records = here.filter((record) => record.type === type)
    const matches = records.length > 0 ? records : here.filter(({ type }) => type === 'CNAME')
    for (const { ttl } of matches) seconds = Math.max(seconds, ttl)
    const [alias] = matches
    if (records.length > 0 || alias?.type !== 'CNAME') return { records, path, seconds }
    path.push(alias.target)
    if (path.length > mostAliases || path.indexOf(alias.target) < path.length - 1) {
      return { records: [], path, seconds }
    }
    name = alias.target
  }
}

/** Whether an SOA record says that the last name of the aliases has no records of the type. */
function knowsNone({ authority }: Reply): boolean {
  return authority.some(({ type }) => type === 'SOA')
}

function rememberedFor({ authority }: Reply): number {
  for (const record of authority) {
    if (record.type === 'SOA') return Math.min(record.ttl, record.minimum)
  }
  return 0
}
