/** Signing in at a company's identity provider: its pages, loaded when somebody opens one. */
import type { FastifyInstance } from 'fastify'
import { companyPath } from '../../../accounts/identities/provider.ts'
import { lazily } from '../../../lib/concurrency/lazily.ts'
import type { PageParts } from '../shared/parts.ts'

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
