/** Providers that relay our mail and report its outcome by HTTP. */
import type { Refusal } from '../../core/errors.ts'
import { type Id, parseId } from '../../core/ids.ts'
import type { Report } from '../report.ts'

export interface ProviderRequest {
  header(name: string): string | undefined
  /** The raw body, because signatures cover its bytes. */
  body: Buffer
  now: Date
}

export interface Provider {
  /** Reads the reports if the signature is valid. Reports on mail of others are left out. */
  read(request: ProviderRequest): Promise<Report[] | Refusal>
}

/** Parses the JSON of a body; undefined if it is not JSON. */
export function jsonIn(body: Buffer | string): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}

type Fields = Readonly<Record<string, unknown>>

/** The fields of an object; any other value has none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The time that a provider names, in ISO 8601 or in seconds; now if it is not valid. */
export function momentOf(value: unknown, now: Date): Date {
  const at = typeof value === 'number' ? new Date(value * 1000) : new Date(String(value))
  // A time in the future is impossible: the provider's clock is wrong, or ours.
  return Number.isNaN(at.getTime()) || at > now ? now : at
}

/** Finds the message with this Message-ID: `<msg_…@domain>`, as we sent it. */
export function messageIn(messageId: unknown): Id<'message'> | undefined {
  const found = /^<?(msg_[0-9a-z]{26})@/.exec(textOf(messageId)?.trim() ?? '')
  return found?.[1] === undefined ? undefined : parseId('message', found[1])
}
