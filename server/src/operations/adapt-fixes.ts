/**
 * Adapts the `fix` of a refusal to its reader. If it names a call outside the reader's scopes or
 * role, it says instead who can make that call, and where.
 */
import { settingsUrl } from '../accounts/settings/settings-view.ts'
import { type Fix, type Refusal, refuse } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import { allows, type Operation, type Principal, type Reach } from '../core/operation.ts'

export interface FixReader {
  principal: Principal
  business: Reach
  appUrl: string
  /** Finds the operation that a fix names, for the scope and role that it needs. */
  toolNamed: FindTool
}

export type FindTool = (name: string) => Pick<Operation, 'scope' | 'role' | 'alsoFor'> | undefined

/** Adapts the fix of a refusal. The suggested call belongs to the business of the refused call. */
export function adaptRefusal(refusal: Refusal, reader: FixReader): Refusal {
  const { fix } = refusal.details
  if (fix?.tool === undefined) return refusal
  const { fix: own, who } = fixFor(fix, reader)
  const message = who === undefined ? refusal.message : `${refusal.message} ${who}`
  return refuse(refusal.code, message, { ...refusal.details, fix: own })
}

/**
 * Adapts the fixes that a response lists: the gates of a campaign, and the missing parts of a
 * business.
 */
export function adaptFixes<T>(output: T, reader: FixReader): T {
  if (typeof output !== 'object' || output === null) return output
  const lists = ['gates', 'missing'].flatMap((key) => {
    const list = (output as Record<string, unknown>)[key]
    return Array.isArray(list) ? [[key, list.map((entry) => mended(entry, reader))] as const] : []
  })
  return lists.length === 0 ? output : { ...output, ...Object.fromEntries(lists) }
}

function mended(entry: unknown, reader: FixReader): unknown {
  if (typeof entry !== 'object' || entry === null || !('fix' in entry)) return entry
  const { fix, who } = fixFor(entry.fix as Fix, reader)
  const remedy = 'remedy' in entry && typeof entry.remedy === 'string' ? entry.remedy : ''
  return { ...entry, fix, ...(who !== undefined && { remedy: `${remedy} ${who}`.trim() }) }
}

function fixFor(fix: Fix, reader: FixReader): { fix: Fix; who?: string } {
  if (fix.tool === undefined) return { fix }
  const { principal, business, appUrl } = reader
  const args = { business_id: formatId('business', business.id), ...fix.arguments }
  const page = fix.tool === 'business.save' ? settingsUrl(appUrl, business.id) : undefined
  const needs = reader.toolNamed(fix.tool)
  if (!needs) return { fix: { ...fix, arguments: args } }
  const url = page ?? appUrl
  const hasRole = allows(business.role, needs)
  if (hasRole && principal.scopes.has(needs.scope)) {
    return { fix: { ...fix, arguments: args, ...(page && { url: page }) } }
  }
  const who = hasRole
    ? `This connection lacks the scope ${needs.scope} for ${fix.tool}: the person does it at ${url}`
    : `This person is ${business.role}, and ${fix.tool} needs the role ${needs.role}: somebody with it does this at ${url}`
  return { fix: { url }, who }
}
