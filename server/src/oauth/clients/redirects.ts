/**
 * The allow-list of redirect URIs (contract 2.4): loopback, the known assistants,
 * the setting, and the operator's additions.
 */

import { type Refusal, refuse } from '../../core/errors.ts'
import { sql } from '../../lib/db/db.ts'
import { StartError } from '../../lib/db/start-error.ts'
import type { Db } from '../../lib/db/types.ts'
import { isLoopback, redirectFault } from './redirect-uri.ts'

/** The callbacks of hosted assistants, which register by themselves. */
export const hostedDefaults: readonly string[] = [
  'https://claude.ai/api/mcp/auth_callback',
  'https://claude.com/api/mcp/auth_callback',
  'https://chatgpt.com/connector/oauth/*',
  'https://chatgpt.com/connector_platform_oauth_redirect',
  'https://vscode.dev/redirect',
  'https://insiders.vscode.dev/redirect',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
]

export interface Redirects {
  /** Whether the URI is allowed. */
  allow(uri: string): Promise<boolean>
}

/** `configured` holds the rules of the setting. An invalid rule stops the start. */
export function createRedirects(db: Db, configured: readonly string[]): Redirects {
  for (const rule of configured) {
    const fault = ruleFault(rule)
    if (fault) throw new StartError(`ALLOWED_REDIRECTS: ${rule} ${fault}.`)
  }
  const rules = [...hostedDefaults, ...configured]
  return {
    async allow(uri) {
      if (redirectFault(uri)) return false
      if (isLoopback(uri)) return true
      const stored = await possibleRedirectRules(db, uri)
      const matching = stored.filter((rule) => matchesRule(rule.uri, uri))
      // What the operator disabled is refused, whichever other rule allows it.
      if (matching.some(({ isDisabled }) => isDisabled)) return false
      return matching.length > 0 || rules.some((rule) => matchesRule(rule, uri))
    },
  }
}

/** Adds a rule while the server runs. Adding it again changes nothing. */
export async function allowRedirect(db: Db, rule: string, now: Date): Promise<Refusal | undefined> {
  const fault = ruleFault(rule)
  if (fault) return refuse('invalid_redirect_uri', `${rule} ${fault}.`, { field: 'uri' })
  await insertAllowedRedirect(db, rule, now)
  return undefined
}

/** Why a text is not a valid rule. Undefined if it is valid. */
export function ruleFault(rule: string): string | undefined {
  const fault = redirectFault(rule)
  if (fault) return fault
  if (!rule.includes('*')) return undefined
  // The host must end before the star: https://app.example* would match app.example.evil.
  if (/^[^:/]+:\/\/[^/?*]+\/[^*?]*\*$/.test(rule)) return undefined
  return 'has a * elsewhere than at the end of a path'
}

/**
 * A star matches plain path segments only. Escapes, segments of dots and doubled slashes do not
 * match, because a browser or a proxy could resolve them to a path that the rule does not name.
 */
export function matchesRule(rule: string, uri: string): boolean {
  if (!rule.endsWith('*')) return rule === uri
  const prefix = rule.slice(0, -1)
  if (!uri.startsWith(prefix)) return false
  const segments = uri.slice(uri.indexOf('/', uri.indexOf('://') + 3) + 1).split('/')
  return (
    /^[A-Za-z0-9\-._~/]*$/.test(uri.slice(prefix.length)) &&
    segments.every(
      (segment, i) => !/^\.{1,2}$/.test(segment) && (segment !== '' || i === segments.length - 1),
    )
  )
}

async function insertAllowedRedirect(db: Db, uri: string, now: Date): Promise<void> {
  await db.run(sql`
    insert into allowed_redirects (uri, created_at) values (${uri}, ${now})
    on conflict (uri) do update set disabled_at = null
  `)
}

/** Returns rules that equal this URI, or end in a star and are a prefix of it. */
function possibleRedirectRules(
  db: Db,
  uri: string,
): Promise<{ uri: string; isDisabled: boolean }[]> {
  return db.all(sql`
    select uri, disabled_at is not null as "isDisabled" from allowed_redirects
    where uri = ${uri} or (right(uri, 1) = '*' and starts_with(${uri}, left(uri, -1)))
  `)
}
