/**
 * What a connection may do only with the permission "May take data out of Crier": without it a person
 * does it in the app, at the address in the refusal.
 */
import { refuse } from './errors.ts'
import { formatId } from './ids.ts'
import type { BusinessContext } from './operation.ts'

interface AppAction {
  /** Begins the sentence that says so, such as "Exporting contacts". */
  action: string
  /** The page of the app below that of the business. */
  page: string
  field?: string
}

export function checkTakesDataOut(
  { principal, business, appUrl }: Pick<BusinessContext, 'principal' | 'business' | 'appUrl'>,
  { action, page, field }: AppAction,
): void {
  if (!principal.keepsDataIn) return
  const url = `${appUrl}/b/${formatId('business', business.id)}${page}`
  const text = `${action} takes data out of Crier, which this connection may not. A person does it in the app: ${url}. Or its person allows it under Connections.`
  throw refuse('access_denied', text, {
    ...(field !== undefined && { field }),
    fix: { url },
    data: { reason: 'takes_data_out', permission: 'takes_data_out' },
  })
}
