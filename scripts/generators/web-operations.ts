/** web/src/generated/operations.ts: typed calls of operations that exist only in the app. */
import { campaignProgress } from 'crier-server/campaigns/progress.ts'
import { appCatalogOf } from 'crier-server/operations/catalog.ts'
import { entriesOf, heading, nowhere } from './catalog.ts'
import { methodsOf, operationTypes, signaturesOf } from './sdk-operations.ts'
import { routeLines } from './sdk-routes.ts'

export async function webOperations(): Promise<string> {
  // The progress of a campaign has a route, but is not a tool.
  const all = entriesOf([...appCatalogOf(nowhere), campaignProgress])
  const nouns = Map.groupBy(all, ({ noun }) => noun)
  return [
    heading('the operations of the app'),
    `import type { CallOptions, RouteTable, SessionClient } from '@crier-mail/sdk/session'\n`,
    ...all.map(operationTypes),
    `/** What people do in the app alone, as methods. */`,
    `export interface AppOperations {`,
    ...signaturesOf(nouns, { hasPages: false }),
    `}\n`,
    `/** Where each is reached. */`,
    `export const appRoutes: RouteTable = {`,
    ...routeLines(all),
    `}\n`,
    `/** The methods, each a call by its name. */`,
    `export function appOperationsOver(call: SessionClient['call']): AppOperations {`,
    `  return {`,
    ...methodsOf(nouns, { hasPages: false }),
    `  }`,
    `}\n`,
  ].join('\n')
}
