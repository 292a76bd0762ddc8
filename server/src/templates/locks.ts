/** Refuses content that has parts of its own where an owner has locked those of the brand. */
import { findBrand } from '../accounts/businesses/brand.ts'
import { refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import { inTranslation, type TemplateDesign } from './changes.ts'
import type { TemplateSource } from './source.ts'

/** Content that stays as it is stays possible, and has the brand laid over it. */
export async function checkLocks(
  db: Db,
  businessId: Id<'business'>,
  { before, after }: { before: TemplateDesign | undefined; after: TemplateDesign },
): Promise<void> {
  if (after.channel !== 'email') return
  const { translations = {}, ...own } = after.source
  if (JSON.stringify(before?.source) === JSON.stringify(after.source)) return
  const brand = await findBrand(db, businessId)
  if (!brand || brand.locked.length === 0) return
  const { lockFault } = await import('./blocks/laid-over.ts')
  const check = (content: TemplateSource) => {
    const fault = lockFaultIn(content, (blocks) => lockFault(blocks, brand), brand.locked)
    if (fault === undefined) return undefined
    const { field, rule } = fault
    const message = `${field} ${rule}: leave it out, and the mail has the brand's. brand.get shows it.`
    return refuse('invalid_request', message, {
      field,
      fix: readBrand,
      data: { reason: 'locked_by_brand', locked: brand.locked },
    })
  }
  const refusal = check(own)
  if (refusal) throw refusal
  for (const [tag, content] of Object.entries(translations)) {
    const fault = check(content)
    if (fault) throw inTranslation(tag, fault)
  }
}

const readBrand = { tool: 'brand.get', arguments: {} }

type Blocks = NonNullable<Extract<TemplateSource, { subject: string }>['blocks']>

function lockFaultIn(
  content: TemplateSource,
  faultOf: (blocks: Blocks) => { field: string; rule: string } | undefined,
  locked: readonly string[],
) {
  if (!('subject' in content)) return undefined
  const { html, mjml, blocks } = content
  const field = html === undefined ? 'mjml' : 'html'
  if (html !== undefined || mjml !== undefined) {
    const rule = `is a design of its own, and an owner has locked the ${locked.join(', ')} of mails: write blocks in its place`
    return { field, rule }
  }
  return blocks && faultOf(blocks)
}
