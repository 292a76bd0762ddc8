/**
 * Signing in at a company's identity provider: the button, and the addresses of the pages, which are
 * loaded when somebody opens one.
 */
import type { FastifyInstance } from 'fastify'
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

/** The button in a form that signs in by mail. */
export function companyOffer(
  { config }: Pick<PageParts, 'config'>,
  words: SignInWords,
): Html | false {
  const provider = ownProvider(config)
  if (!provider) return false
  return html`<div class="actions"><button class="quiet" formaction="${companyPath}" formnovalidate>${words.signInAt(provider.name)}</button></div>`
}
