/**
 * Signing in at a company's identity provider: the button, and the addresses of the pages, which are
 * loaded when somebody opens one.
 */
import type { FastifyInstance } from 'fastify'
import { anyProvider } from '../../../accounts/identities/company.ts'
import { companyPath, ownProvider } from '../../../accounts/identities/provider.ts'
import { lazily } from '../../../lib/concurrency/lazily.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import type { PageParts } from '../shared/parts.ts'
import type { SignInWords } from './sign-in-words.ts'

interface ById {
  Params: { id: string }
}

export function registerCompany(scope: FastifyInstance, parts: PageParts): void {
  const pages = lazily(() => import('./company-pages.ts'))
  scope.post(companyPath, async (request, reply) =>
    (await pages.get()).startAtProvider(parts, request, reply),
  )
  // A HEAD would take the answer.
  const once = { exposeHeadRoute: false }
  scope.get(`${companyPath}/return`, once, async (request, reply) =>
    (await pages.get()).returnFromProvider(parts, request, reply),
  )
  scope.get(`${companyPath}/:business/return`, once, async (request, reply) =>
    (await pages.get()).returnFromProvider(parts, request, reply),
  )
  scope.post(`${companyPath}/logout`, async (request, reply) =>
    (await pages.get()).providerLogOut(parts, request, reply),
  )
  scope.post(`${companyPath}/:business/logout`, async (request, reply) =>
    (await pages.get()).providerLogOut(parts, request, reply),
  )
  scope.route<ById>({
    method: ['GET', 'POST'],
    url: `${companyPath}/step/:id`,
    handler: async (request, reply) =>
      (await pages.get()).secondStepAfterProvider(parts, request, reply),
  })
  scope.get<ById>(`${companyPath}/link/:id`, async (request, reply) =>
    (await pages.get()).linkPage(parts, request, reply),
  )
  scope.post<ById>(`${companyPath}/link/:id`, async (request, reply) =>
    (await pages.get()).linkAccount(parts, request, reply),
  )
}

/** The buttons in a form that signs in by mail. */
export async function companyOffer(
  { db, config }: Pick<PageParts, 'db' | 'config'>,
  words: SignInWords,
): Promise<Html | false> {
  const provider = ownProvider(config)
  const ofBusinesses = await anyProvider(db)
  if (!provider && !ofBusinesses) return false
  return html`<div class="actions">
${provider && html`<button class="quiet" formaction="${companyPath}" formnovalidate>${words.signInAt(provider.name)}</button>`}
${ofBusinesses && html`<button class="quiet" formaction="${companyPath}" name="company" value="address">${words.byCompany}</button>`}
</div>`
}
