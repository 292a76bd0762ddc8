/** Those who carry our mail and tell by HTTP what became of it. */
import type { Refusal } from '../../core/errors.ts'
import { type Id, parseId } from '../../core/ids.ts'
import type { Report } from '../report.ts'

export interface ProviderRequest {
  header(name: string): string | undefined
  /** As it came: signatures are over bytes. */
  body: Buffer
  now: Date
}

export interface Provider {
  /** What it tells, once its signature is found right. What it tells of others is left out. */
  read(request: ProviderRequest): Promise<Report[] | Refusal>
}

/** The JSON of a body, whatever it is; undefined where it is none. */
export function jsonIn(body: Buffer | string): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}

type Fields = Readonly<Record<string, unknown>>

/** An object's fields; those of anything else are none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A moment that a provider names, in ISO 8601 or in seconds; now where it is none. */
export function momentOf(value: unknown, now: Date): Date {
  const at = typeof value === 'number' ? new Date(value * 1000) : new Date(String(value))
  // Nothing has happened in the future: its clock is wrong, or ours.
  return Number.isNaN(at.getTime()) || at > now ? now : at
}

/** The message whose Message-ID this is: `<msg_…@domain>`, as it was sent. */
export function messageIn(messageId: unknown): Id<'message'> | undefined {
  const found = /^<?(msg_[0-9a-z]{26})@/.exec(textOf(messageId)?.trim() ?? '')
  return found?.[1] === undefined ? undefined : parseId('message', found[1])
}
