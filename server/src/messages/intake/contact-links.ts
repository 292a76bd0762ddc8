/** Content that a connection without the permission to take data out may not send by itself. */
import type { BusinessContext } from '../../core/operation.ts'
import { checkTakesDataOut } from '../../core/taking-out.ts'
import type { NamedTemplate } from './send-input.ts'

interface Filled {
  template: NamedTemplate | undefined
  /** The call's own words, where they are filled in. */
  words: readonly unknown[]
}

/**
 * Refuses links and pictures that tell a host outside of the business about the recipient, unless a
 * person marked the template as transactional.
 */
export async function checkContactLinks(
  context: BusinessContext,
  { template, words }: Filled,
): Promise<void> {
  const { db, business, principal, appUrl } = context
  if (!principal.keepsDataIn || template?.isTransactional) return
  const { foreignContactHosts } = await import('../model/personal-links.ts')
  const hosts = await foreignContactHosts(db, {
    businessId: business.id,
    sources: template ? [template.source] : words,
    ownHosts: [new URL(appUrl).hostname],
  })
  if (hosts.length === 0) return
  const action = `A link or picture that tells ${hosts.join(', ')} about the recipient`
  checkTakesDataOut(context, { action, page: '/messages' })
}
