/**
 * The three writes that a crash may interrupt, as a client makes them. A missing answer, or one
 * where the service could not tell (5xx), is `unanswered`: the write may or may not have been made,
 * and either is right.
 */
import { createHash, randomBytes } from 'node:crypto'

export const redirectUri = 'http://localhost:7777/callback'

const path = '/functions/v1/mcp-oauth'
const patience = 20_000

export type Outcome =
  | { kind: 'acknowledged'; answer: Record<string, unknown> }
  /** The error code of a 4xx. */
  | { kind: 'refused'; code: string }
  | { kind: 'unanswered' }

export function register(origin: string, name: string): Promise<Outcome> {
  const body = {
    client_name: name,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  return post(`${origin}${path}/register`, 'application/json', JSON.stringify(body))
}

export function refresh(origin: string, clientId: string, token: string): Promise<Outcome> {
  return grant(origin, { grant_type: 'refresh_token', refresh_token: token, client_id: clientId })
}

export interface Code {
  code: string
  verifier: string
}

export function newCode(): Code {
  const text = () => randomBytes(32).toString('base64url')
  return { code: text(), verifier: text() }
}

export function challengeOf({ verifier }: Code): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

export function exchange(origin: string, clientId: string, code: Code): Promise<Outcome> {
  return grant(origin, {
    grant_type: 'authorization_code',
    code: code.code,
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: code.verifier,
  })
}

function grant(origin: string, form: Record<string, string>): Promise<Outcome> {
  const type = 'application/x-www-form-urlencoded'
  return post(`${origin}${path}`, type, new URLSearchParams(form).toString())
}

async function post(url: string, type: string, body: string): Promise<Outcome> {
  // Registrations are limited per address, and the many clients register often.
  const headers = { 'content-type': type, 'x-forwarded-for': anyAddress() }
  try {
    const signal = AbortSignal.timeout(patience)
    const response = await fetch(url, { method: 'POST', headers, body, signal })
    const answer = (await response.json()) as Record<string, unknown> & { error?: unknown }
    if (response.ok) return { kind: 'acknowledged', answer }
    if (response.status >= 500) return { kind: 'unanswered' }
    const { error } = answer
    return { kind: 'refused', code: typeof error === 'string' ? error : `${response.status}` }
  } catch {
    return { kind: 'unanswered' }
  }
}

function anyAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`
}
