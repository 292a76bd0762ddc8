/** `WWW-Authenticate` as MCP clients need it (RFC 6750 section 3, RFC 9728 section 5.1). */
import type { Refusal } from '../core/errors.ts'
import { type Scope, scopes } from '../core/operation.ts'

/**
 * The challenge for a refusal, if any. A 401 names every scope, or older clients could never step
 * up. Only a missing scope gives `insufficient_scope`, since clients would authorize again in a
 * loop for a missing role or tier.
 */
export function bearerChallenge(
  refusal: Refusal,
  request: { metadataUrl: string; tokenSent: boolean; held?: ReadonlySet<Scope> | undefined },
): string | undefined {
  const metadata = `resource_metadata="${request.metadataUrl}"`
  const description = `error_description="${quotable(refusal.message)}"`
  if (refusal.code === 'unauthorized') {
    const all = `scope="${scopes.join(' ')}"`
    return request.tokenSent
      ? `Bearer error="invalid_token", ${description}, ${metadata}, ${all}`
      : `Bearer ${metadata}, ${all}`
  }
  if (refusal.code === 'scope_required') {
    const scope = refusal.details.data?.['scope']
    // Clients request exactly these: what the token has, and what it lacks. All scopes, as with a
    // 401, where a refusal names none.
    const missing = typeof scope === 'string' ? scope.split(' ') : scopes
    const requested = scopes.filter((name) => missing.includes(name) || request.held?.has(name))
    const needed = `scope="${requested.join(' ')}"`
    return `Bearer error="insufficient_scope", ${needed}, ${metadata}, ${description}`
  }
  return undefined
}

/** RFC 6750 section 3 allows no quotes, backslashes or characters beyond ASCII in a description. */
function quotable(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, '?')
}
