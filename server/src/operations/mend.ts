/**
 * Fixes as their reader can use them: one that names a call outside the reader's scopes or
 * role says who can make it, and where, in its place.
 */
import { settingsUrl } from '../accounts/settings/settings-view.ts'
import { type Fix, type Refusal, refuse } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import { type Operation, type Principal, type Reach, roles } from '../core/operation.ts'

export interface Reader {
  principal: Principal
  business: Reach
  appUrl: string
  /** The operation that a fix names: what it asks of whoever calls it. */
  toolNamed: ToolNamed
}

export type ToolNamed = (name: string) => Pick<Operation, 'scope' | 'role'> | undefined

/** A mending call is made in the business where the refused one was. */
export function inThisBusiness(refusal: Refusal, reader: Reader): Refusal {
  const { fix } = refusal.details
  if (fix?.tool === undefined) return refusal
  const { fix: own, who } = fixFor(fix, reader)
  const message = who === undefined ? refusal.message : `${refusal.message} ${who}`
  return refuse(refusal.code, message, { ...refusal.details, fix: own })
}

/** The same for what an answer lists: gates of a campaign, and what a business is missing. */
export function fixesOf<T>(output: T, reader: Reader): T {
  if (typeof output !== 'object' || output === null) return output
  const lists = ['gates', 'missing'].flatMap((key) => {
    const list = (output as Record<string, unknown>)[key]
    return Array.isArray(list) ? [[key, list.map((one) => mended(one, reader))] as const] : []
  })
  return lists.length === 0 ? output : { ...output, ...Object.fromEntries(lists) }
}

function mended(entry: unknown, reader: Reader): unknown {
  if (typeof entry !== 'object' || entry === null || !('fix' in entry)) return entry
  const { fix, who } = fixFor(entry.fix as Fix, reader)
  const remedy = 'remedy' in entry && typeof entry.remedy === 'string' ? entry.remedy : ''
  return { ...entry, fix, ...(who !== undefined && { remedy: `${remedy} ${who}`.trim() }) }
}

function fixFor(fix: Fix, reader: Reader): { fix: Fix; who?: string } {
  if (fix.tool === undefined) return { fix }
  const { principal, business, appUrl } = reader
  const args = { business_id: formatId('business', business.id), ...fix.arguments }
  const page = fix.tool === 'business.save' ? settingsUrl(appUrl, business.id) : undefined
  const needs = reader.toolNamed(fix.tool)
  if (!needs) return { fix: { ...fix, arguments: args } }
  const url = page ?? appUrl
  const hasRole = roles.indexOf(business.role) >= roles.indexOf(needs.role)
  if (hasRole && principal.scopes.has(needs.scope)) {
    return { fix: { ...fix, arguments: args, ...(page && { url: page }) } }
  }
  const who = hasRole
    ? `This connection lacks the scope ${needs.scope} for ${fix.tool}: the person does it at ${url}`
    : `This person is ${business.role}, and ${fix.tool} needs the role ${needs.role}: somebody with it does this at ${url}`
  return { fix: { url }, who }
}
