/**
 * Asks the client to open a page for its person, where an order waits for them (MCP, "Elicitation", URL
 * mode). A client of 2026-07-28 gets the question in place of the answer, and the answer when it calls
 * again; one of 2025-11-25 that accepts an event stream gets the question ahead of the answer. All
 * others find the address in the answer alone.
 */
import { randomUUID } from 'node:crypto'
import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Operation } from '../../core/operation.ts'
import { createSealedLinks } from '../../core/sealed-link.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { isObject } from '../../lib/text/i-json.ts'
import { hours, later } from '../../lib/time/clock.ts'
import { metaKey } from './protocol.ts'

/** A page that a person has to open. */
export interface PageForPerson {
  url: string
  message: string
}

/** The page of an order that waits for approval. */
export function pageOfOrder({ hints }: Operation, output: unknown): PageForPerson | undefined {
  if (hints.readOnly || !isObject(output)) return undefined
  const { approval_url: url } = output
  if (typeof url !== 'string') return undefined
  return { url, message: 'This waits for your approval. Open the page to read it and decide.' }
}

/** The page where a person does, or allows, what the connection may not. */
export function pageOfRefusal({ message, details }: Refusal): PageForPerson | undefined {
  const { fix, data } = details
  if (fix?.url === undefined || data?.['permission'] === undefined) return undefined
  return { url: fix.url, message }
}

/** Whether the capabilities of a client have elicitation by URL. */
export function opensUrls(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities['elicitation'] : undefined
  return isObject(elicitation) && isObject(elicitation['url'])
}

/** Whether the request says so itself, as each of the modern era does. */
export function requestOpensUrls(params: Record<string, unknown>): boolean {
  const meta = isObject(params['_meta']) ? params['_meta'] : {}
  return opensUrls(meta[metaKey('clientCapabilities')])
}

/** The parameters of `elicitation/create`. */
const paramsOf = ({ url, message }: PageForPerson) => ({
  mode: 'url',
  message,
  url,
  elicitationId: randomUUID(),
})

/** The request that goes ahead of the answer in the legacy era. */
export function elicitationRequest(page: PageForPerson): string {
  const params = paramsOf(page)
  const id = `elicit-${params.elicitationId}`
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'elicitation/create', params })
}

/** The answer that a client of the modern era gets when it calls again. */
export interface KeptAnswer {
  connection: Id<'connection'> | null
  tool: string
  output: Record<string, unknown>
}

export interface KeptAnswers {
  /** Undefined where the answer is too long to be kept in a state. */
  keep(answer: KeptAnswer, now: Date): string | undefined
  read(state: string, now: Date): KeptAnswer | undefined
}

export function keptAnswers(vault: Pick<Vault, 'seal' | 'open'>): KeptAnswers {
  const links = createSealedLinks<KeptAnswer>(vault, 'elicited')
  return {
    keep(answer, now) {
      try {
        return links.make(answer, later(now, hours(1)))
      } catch (error) {
        if (isRefusal(error)) return undefined
        throw error
      }
    },
    read: (state, now) => links.read(state, now),
  }
}

/** The fields of a result that asks for the page; with a state the next call gets the kept answer. */
export function inputRequired(page: PageForPerson, state?: string): Record<string, unknown> {
  const approval = { method: 'elicitation/create', params: paramsOf(page) }
  return {
    resultType: 'input_required',
    inputRequests: { approval },
    ...(state !== undefined && { requestState: state }),
  }
}
