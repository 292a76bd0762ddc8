import type { RecordType } from '../../lib/dns/message.ts'
import type { Failure, Lookup } from '../../lib/dns/resolver.ts'

export const recordStatuses = ['ok', 'missing', 'wrong', 'unknown'] as const
/** `unknown`: not queried yet, or DNS did not respond. */
export type RecordStatus = (typeof recordStatuses)[number]

/** The result of looking up a record. */
export interface RecordFinding {
  status: RecordStatus
  /** The values that DNS returned, truncated. They are a stranger's text. */
  found: string[]
  /** How to fix it, in the service's own words, without any text that DNS returned. */
  remedy?: string
  /** The seconds for which the DNS response may be cached. */
  ttl?: number
  /** For an unknown result: the last known status, from when DNS last responded. */
  before?: 'ok' | 'missing' | 'wrong'
}

/** Whether the record was correct the last time that DNS responded. */
export function isRight(finding: RecordFinding | undefined): boolean {
  return finding?.status === 'ok' || finding?.before === 'ok'
}

/** Queries DNS. Equal queries of one check are made once. */
export type Look = <T extends RecordType>(name: string, type: T) => Promise<Lookup<T>>

/** The feature that requires the record to be correct. */
export type Need = 'verification' | 'marketing' | 'tracking' | 'key_change' | 'nothing'

/** A record that the owner of a domain publishes. */
export interface DomainRecord {
  /** Its id within the domain: `s1`, `return_path_mx`. */
  id: string
  type: 'TXT' | 'CNAME' | 'MX'
  name: string
  /** The value as in a zone file, without quotes. */
  value: string
  neededFor: Need
  /** Checks the record at `name`, or at a place where it may have been put by mistake. */
  find(look: Look, name: string): Promise<RecordFinding>
}

/** How many found values are stored, and how many characters of each. */
const longestFound = 600
const mostFound = 5

export function shown(values: readonly string[]): string[] {
  return values.slice(0, mostFound).map((value) => {
    const plain = value.replace(/\p{Cc}/gu, '�')
    return plain.length > longestFound ? `${plain.slice(0, longestFound)}…` : plain
  })
}

/** The aliases that were followed to the value. */
export function shownAliases(aliases: readonly string[]): string[] {
  return shown(aliases.map((alias) => `CNAME ${alias}`))
}

export function right(
  records: string[],
  more: { ttl?: number; remedy?: string } = {},
): RecordFinding {
  return { status: 'ok', found: records, ...more }
}

export function wrong(records: string[], remedy: string, ttl?: number): RecordFinding {
  return { status: 'wrong', found: records, remedy, ...(ttl !== undefined && { ttl }) }
}

type Wanted = Pick<DomainRecord, 'type' | 'name' | 'value'>

/** A key's value is not repeated, because the response shows the record with the remedy. */
export function setIt({ type, name, value }: Wanted): string {
  return value.length > 100
    ? `Set ${type} ${name} to the value given here.`
    : `Set ${type} ${name} to: ${value}`
}

/** No record of the kind exists. `retryIn`: seconds for which DNS may cache its absence. */
export function missing(record: Wanted, retryIn: number): RecordFinding {
  const wait = Math.ceil(retryIn / 60)
  const late = wait > 1 ? ` A record set just now may take ${wait} minutes to be seen.` : ''
  return { status: 'missing', found: [], remedy: `${setIt(record)}${late}` }
}

const failures: Record<Failure, string> = {
  timeout: 'DNS did not answer in time. It is asked again by itself.',
  unreachable:
    'The DNS server of this service could not be reached. The operator: see DNS_SERVERS.',
  server_failure:
    "The domain's DNS servers fail to answer for this name. Its DNS provider can say why; often DNSSEC signatures have run out.",
  malformed: 'DNS gave an answer that breaks the protocol. It is asked again by itself.',
  alias_loop:
    'CNAME records lead in a circle. Delete the one at this name and set the record anew.',
}

/** DNS did not respond. A loop of aliases is for the owner to fix. */
export function failed(lookup: { failure: Failure; aliases: string[] }): RecordFinding {
  return {
    status: lookup.failure === 'alias_loop' ? 'wrong' : 'unknown',
    found: shownAliases(lookup.aliases),
    remedy: failures[lookup.failure],
  }
}
