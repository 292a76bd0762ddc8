import type { RecordType } from '../../lib/dns/message.ts'
import type { Failure, Lookup } from '../../lib/dns/resolver.ts'

export const recordStatuses = ['ok', 'missing', 'wrong', 'unknown'] as const
/** `unknown`: it was not asked for yet, or DNS did not answer. */
export type RecordStatus = (typeof recordStatuses)[number]

/** What stands where a record should be. */
export interface RecordFinding {
  status: RecordStatus
  /** What DNS gave, clipped: a stranger's text. */
  found: string[]
  /** What to do, in our own words: nothing that DNS gave stands in it. */
  remedy?: string
  /** Seconds for which the answer may be remembered. */
  ttl?: number
  /** Of an unknown one: what was found the last time that DNS answered. */
  before?: 'ok' | 'missing' | 'wrong'
}

/** Whether it was right the last time that DNS answered. */
export function isRight(finding: RecordFinding | undefined): boolean {
  return finding?.status === 'ok' || finding?.before === 'ok'
}

/** Asks DNS; the same question is asked once for all records of a check. */
export type Look = <T extends RecordType>(name: string, type: T) => Promise<Lookup<T>>

/** What waits for the record to be right. */
export type Need = 'verification' | 'marketing' | 'tracking' | 'key_change' | 'nothing'

/** A record that the owner of a domain sets. */
export interface DomainRecord {
  /** Names it within its domain: `s1`, `return_path_mx`. */
  id: string
  type: 'TXT' | 'CNAME' | 'MX'
  name: string
  /** As a zone file has it, without quotes. */
  value: string
  neededFor: Need
  /** Looks at the place, which is `name` unless it may have been set at another by mistake. */
  find(look: Look, place: string): Promise<RecordFinding>
}

/** Characters of one found value that are kept, and how many values. */
const longestFound = 600
const mostFound = 5

export function shown(values: readonly string[]): string[] {
  return values.slice(0, mostFound).map((value) => {
    const plain = value.replace(/\p{Cc}/gu, '�')
    return plain.length > longestFound ? `${plain.slice(0, longestFound)}…` : plain
  })
}

/** Aliases on the way to what was found. */
export function shownAliases(aliases: readonly string[]): string[] {
  return shown(aliases.map((alias) => `CNAME ${alias}`))
}

export function right(
  found: string[],
  more: { ttl?: number; remedy?: string } = {},
): RecordFinding {
  return { status: 'ok', found, ...more }
}

export function wrong(found: string[], remedy: string, ttl?: number): RecordFinding {
  return { status: 'wrong', found, remedy, ...(ttl !== undefined && { ttl }) }
}

type Wanted = Pick<DomainRecord, 'type' | 'name' | 'value'>

/** A key is not repeated: its record is given with the remedy. */
export function setIt({ type, name, value }: Wanted): string {
  return value.length > 100
    ? `Set ${type} ${name} to the value given here.`
    : `Set ${type} ${name} to: ${value}`
}

/** Nothing of the kind is there. `retryIn`: seconds for which DNS may remember that. */
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

/** DNS did not tell; a circle of aliases is the owner's to mend. */
export function failed(lookup: { failure: Failure; aliases: string[] }): RecordFinding {
  return {
    status: lookup.failure === 'alias_loop' ? 'wrong' : 'unknown',
    found: shownAliases(lookup.aliases),
    remedy: failures[lookup.failure],
  }
}
